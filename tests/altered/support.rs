//! Claims on a value of a table, a year, a group or a step in time: the right one, and the one next to it. What counts is the label: a wrong claim
//! must never be called supported.

use crate::corpus::{Corpus, Passage};
use crate::item::Item;
use crate::random::Random;

/// A table: rows by name, columns by name and unit, and a value in each cell. No value stands twice.
struct Table {
    rows: [&'static str; 3],
    columns: [(&'static str, &'static str); 3],
    cells: [[u32; 3]; 3],
}

const ROWS: &[[&str; 3]] = &[
    ["Basic", "Plus", "Business"],
    ["North", "Centre", "South"],
    ["Model A", "Model B", "Model C"],
    ["Oslo", "Lisbon", "Vienna"],
    ["Copper", "Zinc", "Nickel"],
];

/// Names of columns with the unit of their values, and how a claim speaks of them.
const COLUMNS: &[[(&str, &str); 3]] = &[
    [("Price", "EUR"), ("Storage", "GB"), ("Retention", "days")],
    [("Output", "MWh"), ("Downtime", "hours"), ("Staff", "people")],
    [("Weight", "kg"), ("Range", "km"), ("Charging time", "minutes")],
    [("2021", "tonnes"), ("2022", "tonnes"), ("2023", "tonnes")],
];

impl Table {
    fn made(random: &mut Random) -> Self {
        let mut used = Vec::new();
        let mut value = || loop {
            let value = u32::try_from(random.between(12, 980)).unwrap_or(12);
            if !used.contains(&value) && !(200..=210).contains(&value) {
                used.push(value);
                return value;
            }
        };
        let cells = [[value(), value(), value()], [value(), value(), value()], [value(), value(), value()]];
        Self { rows: *random.pick(ROWS), columns: *random.pick(COLUMNS), cells }
    }

    /// "Output (MWh)"
    fn heads(&self) -> Vec<String> {
        self.columns.iter().map(|(name, unit)| format!("{name} ({unit})")).collect()
    }

    fn lines(&self, cell: impl Fn(&str) -> String, join: &str) -> Vec<String> {
        let head: Vec<String> =
            std::iter::once("Name".to_owned()).chain(self.heads()).map(|text| cell(&text)).collect();
        let row = |(name, cells): (&&str, &[u32; 3])| {
            let all: Vec<String> =
                std::iter::once(cell(name)).chain(cells.iter().map(|v| cell(&v.to_string()))).collect();
            all.join(join)
        };
        std::iter::once(head.join(join)).chain(self.rows.iter().zip(&self.cells).map(row)).collect()
    }

    fn markdown(&self) -> String {
        let mut lines = self.lines(str::to_owned, " | ");
        lines.insert(1, "--- | --- | --- | ---".to_owned());
        lines.iter().map(|line| format!("| {line} |\n")).collect()
    }

    fn separated(&self, by: &str) -> String {
        self.lines(str::to_owned, by).join("\n")
    }

    fn aligned(&self) -> String {
        self.lines(|text| format!("{text:<20}"), " ").join("\n")
    }

    fn html(&self) -> String {
        let lines = self.lines(|text| format!("<td>{text}</td>"), "");
        let rows: String = lines.iter().map(|line| format!("<tr>{line}</tr>\n")).collect();
        format!("<table>\n{rows}</table>")
    }

    fn prose(&self) -> String {
        let sentence = |(row, cells): (&&str, &[u32; 3])| -> String {
            let parts =
                self.columns.iter().zip(cells).map(|((column, unit), value)| {
                    format!("the {} of {row} is {value} {unit}. ", column.to_lowercase())
                });
            parts.map(|part| part.replacen("the", "The", 1)).collect()
        };
        self.rows.iter().zip(&self.cells).map(sentence).collect()
    }

    fn claim(&self, row: usize, column: usize, value: u32) -> String {
        let ((name, unit), row) = (self.columns[column], self.rows[row]);
        match name.starts_with("20") {
            true => format!("{row} had {value} {unit} in {name}."),
            false => format!("The {} of {row} is {value} {unit}.", name.to_lowercase()),
        }
    }
}

const LAYOUTS: [fn(&Table) -> String; 6] = [
    Table::markdown,
    |table| table.separated(", "),
    |table| table.separated("\t"),
    Table::aligned,
    Table::html,
    Table::prose,
];

/// A pair of sentences that differ in what a value is of: the passage with both, and for each the claim.
type Pair = fn(&mut Random) -> (String, String, String);

/// Passages with two values of a kind; the second claim is wrong.
const PAIRS: &[(&str, Pair)] = &[
    ("the value of another year", |random| {
        let (a, b, first) = (random.between(100, 480), random.between(500, 980), random.between(2008, 2020));
        let second = first + 1;
        (
            format!("The plant sold {a} tonnes of glass in {first} and {b} tonnes in {second}."),
            format!("The plant sold {a} tonnes of glass in {first}."),
            format!("The plant sold {b} tonnes of glass in {first}."),
        )
    }),
    ("the value of another group", |random| {
        let (a, b) = (random.between(10, 48), random.between(52, 96));
        let [one, other] = *random.pick(&[
            ["adults", "children"],
            ["members", "guests"],
            ["drivers", "passengers"],
            ["tenants", "owners"],
        ]);
        (
            format!("Tickets for {one} cost {b} EUR; tickets for {other} cost {a} EUR."),
            format!("Tickets for {one} cost {b} EUR."),
            format!("Tickets for {one} cost {a} EUR."),
        )
    }),
    ("the other end of a bound", |random| {
        let (a, b) = (random.between(3, 9), random.between(20, 90));
        (
            format!("The minimum load of the hoist is {a} kg and the maximum load is {b} kg."),
            format!("The maximum load of the hoist is {b} kg."),
            format!("The maximum load of the hoist is {a} kg."),
        )
    }),
    ("from and to the other way round", |random| {
        let (a, b) = (random.between(100, 480), random.between(500, 980));
        (
            format!("The fee rose from {a} EUR to {b} EUR in spring."),
            format!("The fee rose from {a} EUR to {b} EUR."),
            format!("The fee rose from {b} EUR to {a} EUR."),
        )
    }),
    ("a rise for a fall", |random| {
        let a = random.between(12, 90);
        let [one, other] = *random.pick(&[["rose", "fell"], ["increased", "decreased"], ["grew", "shrank"]]);
        (
            format!("Demand for ferry tickets {one} by {a} % in the second half."),
            format!("Demand for ferry tickets {one} by {a} % in the second half."),
            format!("Demand for ferry tickets {other} by {a} % in the second half."),
        )
    }),
    ("after for within", |random| {
        let a = random.between(12, 90);
        (
            format!("Returned goods are refunded within {a} days of receipt."),
            format!("Goods that are returned are refunded within {a} days of receipt."),
            format!("Returned goods are refunded after {a} days of receipt."),
        )
    }),
    ("buyer and seller change places", |random| {
        let a = random.between(120, 980);
        let [one, other] = *random.pick(&[["tenant", "landlord"], ["buyer", "seller"], ["carrier", "shipper"]]);
        (
            format!("The {one} pays the {other} a fee of {a} EUR."),
            format!("The {one} pays the {other} {a} EUR as a fee."),
            format!("The {other} pays the {one} a fee of {a} EUR."),
        )
    }),
    ("a value that was withdrawn", |random| {
        let (a, b) = (random.between(100, 480), random.between(500, 980));
        let note = *random.pick(&["Withdrawn", "Outdated", "Superseded", "No longer valid"]);
        (
            format!("The deposit for a locker is {b} EUR.\n\n{note}: The deposit for a locker is {a} EUR."),
            format!("The deposit for a locker is {b} EUR."),
            format!("The deposit for a locker is {a} EUR."),
        )
    }),
    ("a value that is denied", |random| {
        let a = random.between(100, 480);
        (
            format!("The tank of the pump does not hold {a} litres. The tank of the burner holds {a} litres."),
            format!("The tank of the burner holds {a} litres."),
            format!("The tank of the pump holds {a} litres."),
        )
    }),
    ("on for off", |random| {
        let a = random.between(12, 90);
        (
            format!("Switch the heater off {a} minutes before you open the lid."),
            format!("Switch the heater off {a} minutes before you open the lid."),
            format!("Switch the heater on {a} minutes before you open the lid."),
        )
    }),
];

/// How many items of each family of pairs are made.
const OF_A_PAIR: usize = 24;
/// How many tables are made in each layout.
const TABLES: usize = 24;

/// Wrong and true claims.
pub fn items(corpus: &Corpus) -> (Vec<Item>, Vec<Item>) {
    let (mut wrong, mut right) = (Vec::new(), Vec::new());
    let item = |family: &'static str, claim: String, content: String, random: &mut Random| {
        let cited = vec![Passage { language: "en".to_owned(), title: None, content }];
        Item { family, language: "en".to_owned(), claim, cited, others: Vec::new() }.with_company(corpus, random)
    };
    for number in 0..TABLES {
        for (layout, written) in LAYOUTS.iter().enumerate() {
            let mut random = Random::of(&["table", &number.to_string(), &layout.to_string()]);
            let table = Table::made(&mut random);
            let (row, column) = (random.below(3), random.below(3));
            let content = written(&table);
            let claim = |value: u32| table.claim(row, column, value);
            right.push(item("the value of a cell", claim(table.cells[row][column]), content.clone(), &mut random));
            let below = table.cells[(row + 1) % 3][column];
            wrong.push(item("the value of another row", claim(below), content.clone(), &mut random));
            let beside = table.cells[row][(column + 1) % 3];
            wrong.push(item("the value of another column", claim(beside), content, &mut random));
        }
    }
    for (family, make) in PAIRS {
        for number in 0..OF_A_PAIR {
            let mut random = Random::of(&[family, &number.to_string()]);
            let (passage, true_one, wrong_one) = make(&mut random);
            right.push(item("the value beside it, rightly told", true_one, passage.clone(), &mut random));
            wrong.push(item(family, wrong_one, passage, &mut random));
        }
    }
    (wrong, right)
}
