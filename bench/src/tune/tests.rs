//! Tests of the choice among candidates, and of its report.

use super::*;

fn row(median: f64, deviation: f64) -> Row {
    Row { n: 1 << 20, median_seconds: median, deviation_seconds: deviation, ..Row::of("", "", "") }
}

fn tuning(group: usize) -> Tuning {
    Tuning { group: Some(group), ..Tuning::default() }
}

fn found(tried: Vec<Outcome>, winner: Option<usize>) -> Found {
    let tried = tried.into_iter().enumerate().map(|(at, outcome)| (tuning(at), outcome)).collect();
    Found { target: &ALL[0], present: row(1.0, 0.1), tried, winner, is_row: false, is_complete: true }
}

#[test]
fn the_fastest_is_the_best_and_what_failed_is_skipped() {
    let failed = || Err("no".to_owned());
    let of = |outcomes: Vec<Outcome>| best(&found(outcomes, None).tried);
    assert_eq!(of(vec![Ok(row(0.9, 0.0)), failed(), Ok(row(0.5, 0.4)), Ok(row(0.6, 0.0))]), Some(2));
    assert_eq!(of(vec![failed(), failed()]), None);
}

#[test]
fn a_candidate_must_win_by_more_than_either_varies() {
    let present = row(1.0, 0.1);
    assert!(beats(&Ok(row(0.85, 0.05)), &present));
    assert!(!beats(&Ok(row(0.95, 0.01)), &present), "the present choice varies as much");
    assert!(!beats(&Ok(row(0.85, 0.2)), &present), "the candidate varies as much");
    assert!(!beats(&Ok(row(1.0, 0.0)), &row(1.0, 0.0)));
    assert!(!beats(&Err("no".to_owned()), &present));
}

#[test]
fn tables_tell_what_was_chosen_and_what_failed() {
    let found = [found(vec![Ok(row(0.5, 0.05)), Err("no".to_owned())], Some(0))];
    let text = table(&found).to_string();
    for part in
        ["elementwise 4: z = a b + c f32, 2^20", "as it is", "groups of 0", "2.000", "chosen", "failed"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn records_have_rows_for_winners_and_comments_for_the_rest() {
    let device = Device::first().unwrap();
    let record = |outcomes, winner| record::of_device(&device, &[found(outcomes, winner)]).unwrap();
    let name = device.name().unwrap();
    let rows = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
    };
    let text = record(vec![Err("no".to_owned()), Ok(row(0.5, 0.05))], Some(1));
    assert_eq!(rows(&text), [format!("{name}\telementwise\t4\t1\t-\t-")]);
    assert!(
        text.contains(", z = a b + c f32, 2^20: 500.000 ms ± 10.0 %; before 1.000 s ± 10.0 %.\n"),
        "{text}"
    );
    let text = record(vec![Ok(row(0.99, 0.05))], None);
    assert!(rows(&text).is_empty());
    assert!(text.contains("# elementwise 4 stays as it is") && text.contains("best of 1 others"), "{text}");
    assert!(!text.contains("win again"), "{text}");
    let text = record(vec![Ok(row(0.5, 0.05))], None);
    assert!(
        rows(&text).is_empty() && text.contains("500.000 ms ± 10.0 %, and did not win again\n"),
        "{text}"
    );
    let text = record(vec![Err("no".to_owned())], None);
    assert!(rows(&text).is_empty() && text.contains("all others failed"), "{text}");
}

#[test]
fn the_best_values_of_each_axis_are_tried_together() {
    let one = |group, bytes, median| (Tuning { group, bytes, groups: None }, Ok(row(median, 0.0)));
    let present = row(1.0, 0.01);
    let mut tried = vec![one(Some(1), None, 0.9), one(Some(2), None, 0.8), one(None, Some(3), 0.9)];
    let both = Tuning { group: Some(2), bytes: Some(3), groups: None };
    assert_eq!(best_of_each(&tried, &present), Some(both));
    tried[2].1 = Ok(row(1.1, 0.0));
    assert_eq!(best_of_each(&tried, &present), None, "one axis is left");
}

#[test]
fn a_summary_names_what_is_confirmed_and_what_is_not() {
    let mut all = [found(vec![Ok(row(0.5, 0.0))], Some(0)), found(vec![Ok(row(0.99, 0.0))], None)];
    (all[1].target, all[1].is_row) = (&ALL[1], true);
    let plan: Vec<(&Target, Vec<Tuning>)> = ALL[..3].iter().map(|target| (target, Vec::new())).collect();
    let text = summary(&all, &plan);
    for line in [
        "within 3 %: elementwise 8 (row, 1.000)",
        "within 3 %, but not all was tried: none",
        "beaten by more: elementwise 4 (rule, 2.000)",
        "not measured: generate 4",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}: {text}");
    }
    all[1].is_complete = false;
    assert!(summary(&all, &plan).contains("but not all was tried: elementwise 8 (row, 1.000)\n"));
}
