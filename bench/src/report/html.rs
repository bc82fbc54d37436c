//! The report as one self-contained page: it contains the rows as JSON, and its script makes tables and plots
//! of them.

use super::Row;
use crate::{date, failure::Failure};
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns the page of these rows.
pub(crate) fn page(rows: &[Row]) -> Result<String, Failure> {
    let data = escaped(&json!({ "made": date::today()?, "rows": with_ratios(rows)? }).to_string());
    // The data are inserted last, so that placeholders in them are not replaced.
    let page = PAGE.replace("{{style}}", STYLE).replace("{{script}}", SCRIPT);
    Ok(page.replacen("{{data}}", &data, 1))
}

/// Adds `ratios` to each row: the ratios of each library by each clock, the preferred clock first.
fn with_ratios(rows: &[Row]) -> Result<Vec<Value>, Failure> {
    let with_ratios = |row: &Row| -> Result<Value, Failure> {
        let mut value = serde_json::to_value(row)?;
        value["ratios"] = json!({});
        for peer in row.peers.keys() {
            value["ratios"][peer] = serde_json::to_value(row.ratios(peer))?;
        }
        Ok(value)
    };
    rows.iter().map(with_ratios).collect()
}

/// Escapes JSON so that it neither ends a script nor begins a comment, and remains the same JSON.
fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NASTY: &str = "a</script><!-- \"& {{script}} {{data}}";

    #[test]
    fn names_cannot_end_the_data() {
        let page = page(&[Row::of(NASTY, "f32", "host")]).unwrap();
        assert_eq!(page.matches("</script>").count(), 2, "the data's end and the script's");
        let (_, data) = page.split_once("type=\"application/json\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        assert!(!data.contains(['<', '>', '&']));
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["rows"][0]["case"], NASTY);
    }

    #[test]
    fn a_page_asks_for_nothing_else() {
        let page = page(&[Row::of("sum", "f32", "host")]).unwrap();
        for word in
            ["src=", "href=", "url(", "@import", "fetch(", "http:", "https:", "{{style}}", "{{script}}"]
        {
            assert!(!page.contains(word), "{word}");
        }
    }
}
