//! The part of C's preprocessor that is needed to read a kernel's parameters.
//!
//! Templates hide parameters behind macros and `#if`. A kernel has the parameters that remain after both.

use std::collections::{HashMap, HashSet, VecDeque};

/// A token, and the macros that must not be expanded in it again.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    hidden: HashSet<String>,
}

/// A macro's parameters, if it has a list of them, and its text.
#[derive(Clone, Debug)]
struct Macro {
    parameters: Option<Vec<String>>,
    body: Vec<String>,
}

/// The macros that are defined at one line of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Macros(HashMap<String, Macro>);

/// Returns the lines of a text without comments. A line that ends in a backslash is joined with the next one.
pub(super) fn logical_lines(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let mut plain = String::with_capacity(joined.len());
    // The number of bytes that are already copied or left out.
    let mut done = 0;
    while let Some(slash) = joined[done..].find('/').map(|at| done + at) {
        let (end, skipped) = match joined.as_bytes().get(slash + 1) {
            Some(b'/') => ("\n", 0),
            Some(b'*') => ("*/", 2),
            _ => {
                plain.push_str(&joined[done..=slash]);
                done = slash + 1;
                continue;
            }
        };
        plain.push_str(&joined[done..slash]);
        // A comment separates the tokens before and after it.
        plain.push(' ');
        done = joined[slash..].find(end).map_or(joined.len(), |length| slash + length + skipped);
    }
    plain.push_str(&joined[done..]);
    plain.lines().map(str::to_owned).collect()
}

/// Returns the tokens of a text without comments.
pub(super) fn tokens(text: &str) -> Vec<String> {
    const LONG: [&str; 9] = ["##", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>"];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            LONG.iter().find(|long| rest.starts_with(**long)).map_or(first.len_utf8(), |long| long.len())
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    tokens
}

fn fresh(texts: &[String]) -> VecDeque<Token> {
    texts.iter().map(|text| Token { text: text.clone(), hidden: HashSet::new() }).collect()
}

impl Macros {
    /// Defines a macro by the text after `#define`.
    pub(super) fn define(&mut self, definition: &str) {
        let definition = definition.trim();
        let end = definition.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(definition.len());
        let (name, mut rest) = definition.split_at(end);
        let mut parameters = None;
        if let (true, Some(close)) = (rest.starts_with('('), rest.find(')')) {
            let list = rest[1..close].split(',').map(|name| name.trim().to_owned());
            parameters = Some(list.filter(|name| !name.is_empty()).collect());
            rest = &rest[close + 1..];
        }
        self.0.insert(name.to_owned(), Macro { parameters, body: tokens(rest) });
    }

    /// Forgets a macro.
    pub(super) fn undefine(&mut self, name: &str) {
        self.0.remove(name.trim());
    }

    /// Returns whether the macro is defined.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name.trim())
    }

    /// Returns the tokens with all macros expanded.
    pub(super) fn expand(&self, texts: &[String]) -> Vec<String> {
        self.expand_tokens(fresh(texts)).into_iter().map(|token| token.text).collect()
    }

    /// Expands macros by Prosser's algorithm, on which the C standard's text is based.
    fn expand_tokens(&self, mut input: VecDeque<Token>) -> Vec<Token> {
        let mut output = Vec::new();
        while let Some(token) = input.pop_front() {
            let known = self.0.get(&token.text).filter(|_| !token.hidden.contains(&token.text));
            let Some(known) = known else {
                output.push(token);
                continue;
            };
            let mut hidden = token.hidden.clone();
            let mut arguments = Vec::new();
            if known.parameters.is_some() {
                if input.front().is_none_or(|next| next.text != "(") {
                    output.push(token);
                    continue;
                }
                arguments = take_arguments(&mut input);
            }
            hidden.insert(token.text.clone());
            for token in self.substitute(known, &arguments, &hidden).into_iter().rev() {
                input.push_front(token);
            }
        }
        output
    }

    /// Returns a macro's text with the arguments in it.
    fn substitute(&self, known: &Macro, arguments: &[Vec<Token>], hidden: &HashSet<String>) -> Vec<Token> {
        let names = known.parameters.as_deref().unwrap_or_default();
        let argument = |text: &str| {
            let at = names.iter().position(|name| name == text)?;
            Some(arguments.get(at).cloned().unwrap_or_default())
        };
        let is_paste = |at: usize| known.body.get(at).is_some_and(|token| token == "##");
        let mut output: Vec<Token> = Vec::new();
        let mut at = 0;
        while let Some(text) = known.body.get(at) {
            let pasted = at > 0 && is_paste(at - 1);
            if !is_paste(at) {
                let parts = match argument(text) {
                    Some(parts) if pasted || is_paste(at + 1) => parts,
                    Some(parts) => self.expand_tokens(parts.into()),
                    None => vec![Token { text: text.clone(), hidden: HashSet::new() }],
                };
                let mut parts = parts.into_iter();
                if let (true, Some(last)) = (pasted, output.last_mut())
                    && let Some(first) = parts.next()
                {
                    last.text.push_str(&first.text);
                }
                output.extend(parts);
            }
            at += 1;
        }
        output.iter_mut().for_each(|token| token.hidden.extend(hidden.iter().cloned()));
        output
    }

    /// Returns the value of a condition after `#if`. Names that are not macros count as 0.
    ///
    /// # Panics
    /// When `condition` cannot be read, because a guessed value could choose the wrong lines.
    pub(super) fn evaluate(&self, condition: &str) -> i64 {
        let mut words = tokens(condition).into_iter().peekable();
        let mut plain = Vec::new();
        while let Some(word) = words.next() {
            if word != "defined" {
                plain.push(word);
                continue;
            }
            let bracket = words.next_if(|next| next == "(").is_some();
            let name = words.next().unwrap_or_default();
            if bracket {
                words.next();
            }
            plain.push(u8::from(self.has(&name)).to_string());
        }
        let mut condition = Condition { text: condition, tokens: self.expand(&plain), at: 0 };
        let value = condition.choice();
        if condition.at < condition.tokens.len() { condition.refuse() } else { value }
    }
}

/// Takes the arguments in brackets from the front of the tokens.
fn take_arguments(input: &mut VecDeque<Token>) -> Vec<Vec<Token>> {
    input.pop_front();
    let (mut depth, mut arguments) = (1, vec![Vec::new()]);
    while let Some(token) = input.pop_front() {
        match token.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 1 => {
                arguments.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if let Some(last) = arguments.last_mut() {
            last.push(token);
        }
    }
    arguments
}

/// The binary operators, one line for each precedence, the lowest precedence first.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// An integer expression that is being read.
struct Condition<'t> {
    text: &'t str,
    tokens: Vec<String>,
    at: usize,
}

impl Condition<'_> {
    fn refuse(&self) -> ! {
        let rest = self.tokens.get(self.at..).unwrap_or_default().join(" ");
        panic!("the condition `{}` of `#if` cannot be read from `{rest}` on", self.text.trim());
    }

    fn expect(&mut self, wanted: &str) {
        if !self.next_if(wanted) {
            self.refuse();
        }
    }

    fn next_if(&mut self, wanted: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token == wanted);
        self.at += usize::from(found);
        found
    }

    fn choice(&mut self) -> i64 {
        let condition = self.binary(0);
        if !self.next_if("?") {
            return condition;
        }
        let yes = self.choice();
        self.expect(":");
        let no = self.choice();
        if condition != 0 { yes } else { no }
    }

    fn binary(&mut self, level: usize) -> i64 {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1);
        while let Some(operator) = operators.iter().find(|operator| self.next_if(operator)) {
            let right = self.binary(level + 1);
            left = apply(operator, left, right);
        }
        left
    }

    fn unary(&mut self) -> i64 {
        if self.next_if("!") {
            return i64::from(self.unary() == 0);
        }
        if self.next_if("-") {
            return self.unary().wrapping_neg();
        }
        if self.next_if("~") {
            return !self.unary();
        }
        if self.next_if("(") {
            let inner = self.choice();
            self.expect(")");
            return inner;
        }
        if self.next_if("+") {
            return self.unary();
        }
        let Some(value) = self.tokens.get(self.at).and_then(|token| number(token)) else { self.refuse() };
        self.at += 1;
        value
    }
}

fn apply(operator: &str, a: i64, b: i64) -> i64 {
    match operator {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b).unwrap_or(0),
        _ => a.checked_rem(b).unwrap_or(0),
    }
}

/// Returns the value of a number in C, 0 for a name, and `None` for anything else.
fn number(token: &str) -> Option<i64> {
    if token.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return Some(0);
    }
    let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(definitions: &[&str], text: &str) -> String {
        let mut macros = Macros::default();
        definitions.iter().for_each(|definition| macros.define(definition));
        macros.expand(&tokens(text)).join(" ")
    }

    #[test]
    fn macros_expand_as_in_c() {
        assert_eq!(expanded(&["A B", "B 1"], "A + C"), "1 + C");
        assert_eq!(expanded(&["F(x, y) y x"], "F((1, 2), 3) F"), "3 ( 1 , 2 ) F");
        assert_eq!(expanded(&["F(k) in##k[COUNT##k]", "COUNT2 7"], "F(2)"), "in2 [ 7 ]");
        assert_eq!(expanded(&["ALL F(0) F(1)", "F(k) , x##k"], "a ALL"), "a , x0 , x1");
        assert_eq!(expanded(&["merge merge"], "merge"), "merge");
        assert_eq!(expanded(&["EMPTY", "G F", "F(x) <x>"], "EMPTY G(1)"), "< 1 >");
    }

    #[test]
    fn conditions_are_worth_what_c_says() {
        let mut macros = Macros::default();
        ["FENCE 2", "STAGES 5", "BY(n) (STAGES % (n) == 0)"].iter().for_each(|one| macros.define(one));
        for (condition, value) in [
            ("FENCE == 2 && STAGES > 4", 1),
            ("defined(FENCE) && !defined OTHER", 1),
            ("OTHER", 0),
            ("BY(5)", 1),
            ("BY(3) || 0", 0),
            ("1 + 2 * 3 == 7 ? 4 : 5", 4),
            ("0x10u >> 2", 4),
            ("-1 < 0", 1),
            ("6 ^ 3", 5),
            ("8 | 6 ^ 3 & 1", 15),
            ("+3 - +1", 2),
        ] {
            assert_eq!(macros.evaluate(condition), value, "{condition}");
        }
    }

    #[test]
    fn what_is_not_a_condition_is_refused() {
        for condition in ["1 2", "1 $ 1", "(1", "1 ? 2", "", "1.5", "f(1)"] {
            let value = std::panic::catch_unwind(|| Macros::default().evaluate(condition));
            assert!(value.is_err(), "{condition}: {value:?}");
        }
    }

    #[test]
    fn comments_and_joined_lines_vanish() {
        let lines = logical_lines("a /* b\n c */ d // e\n#define X \\\n  1\nf");
        assert_eq!(lines, ["a   d  ", "#define X    1", "f"]);
    }
}
