//! Tables: sums of groups, joins, counts and sets answer five questions about a million sales.
//!
//! `cargo run --release --example 45_tables -- 10000000`. The argument is the number of sales, by default 200000. A sale has
//! a day, a customer, a product and a number of pieces; each is a column, a vector on the device. The picture shows the
//! turnover of each week.

use cl_collections::prelude::*;
use cl_examples::picture::{self, Curve};
use plotters::style::RGBColor;
use std::error::Error;

const PRODUCTS: u32 = 2000;
const CUSTOMERS: u32 = 50_000;
const CITIES: [&str; 6] = ["Köln", "Lima", "Oslo", "Pune", "Quito", "Riga"];

/// Returns a random number for the row `i` of a column, by the finaliser of MurmurHash3.
#[device_fn]
fn random(i: u32, column: u32) -> u32 {
    let mut h = i ^ column.wrapping_mul(0x9e37_79b9);
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// Returns the day of a sale: more are sold towards the end of the year.
#[device_fn]
fn day_of(i: u32) -> u32 {
    let (a, b) = (random(i, 1) % 364, random(i, 2) % 364);
    if a > b { a } else { b }
}

/// Returns the product of a sale: those with small numbers are sold more often, and every 50th is not sold.
#[device_fn]
fn product_of(i: u32) -> u32 {
    let (a, b) = (random(i, 3) % 2000, random(i, 4) % 2000);
    let product = if a < b { a } else { b };
    if product % 50 == 49 { product - 1 } else { product }
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows: usize = std::env::args().nth(1).map_or(Ok(200_000), |rows| rows.parse())?;
    let queue = Queue::on(&Device::first()?)?;

    // Four columns of sales, two of products, two of customers.
    let row = iota(0_u32, rows).on(&queue);
    let day = day_of(row.clone()).collect()?;
    let customer = (random(row.clone(), 5_u32) % CUSTOMERS).collect()?;
    let product = product_of(row.clone()).collect()?;
    let pieces = (random(row, 6_u32) % 5 + 1).collect()?;
    let cents = (random(iota(0_u32, PRODUCTS as usize).on(&queue), 7_u32) % 5000 + 100).collect()?;
    let known = iota(0_u32, CUSTOMERS as usize).on(&queue);
    let (number, city) = (3 * known.clone(), random(known, 8_u32) % CITIES.len() as u32);
    let city = city.collect()?; // of the customers whose number is a multiple of 3; nothing is known about the others

    // A column that is computed has no need to be stored.
    let turnover = || cents.iter().gather(&product).cast::<u64>() * pieces.iter().cast::<u64>();

    // 1. What was the turnover of each week?
    let weeks = GroupBy::new(&day / 7)?;
    let of_week = weeks.sum(turnover())?.to_vec()?;
    println!(
        "1. turnover of the weeks: {:.0} in the first, {:.0} in the last",
        euros(of_week[0]),
        euros(of_week[51])
    );

    // 2. Which product was sold most often?
    let (sold, counts) = value_counts(&product)?;
    let (at, count) = counts.iter().max_element()?.ok_or("nothing was sold")?;
    println!("2. product {} was sold most often, {count} times", sold.get(at)?);

    // 3. Which products were never sold?
    let all = FlatSet::from_keys(iota(0_u32, PRODUCTS as usize).on(&queue))?;
    let unsold = all.difference(&FlatSet::from_keys(&product)?)?;
    println!("3. {} products were never sold", unsold.len());

    // 4. What did customers spend in each city? The sales of customers without a known city are left out by the join.
    let join = inner_join(&customer, number.collect()?)?;
    let cities = GroupBy::new(city.iter().gather(join.right()))?;
    let spent = cities.sum(turnover().gather(join.left()))?;
    let order = spent.iter().rev().argsort()?; // ascending, of the reversed cities
    let best = cities.keys().iter().rev().gather(&order).rev().collect()?;
    let names = Strings::from_slice(&queue, &CITIES)?.gather(&best)?.to_vec()?;
    println!("4. most was spent in {}, least in {}", names[0], names[names.len() - 1]);

    // 5. How much does each customer buy at a time, and how many are there?
    let customers = GroupBy::new(&customer)?;
    let mean = customers.mean(pieces.iter().cast::<f32>())?;
    let largest = mean.iter().reduce_max()?.unwrap_or_default();
    println!("5. {} customers buy up to {largest:.2} pieces at a time", customers.len());

    check(rows, &of_week, sold.get(at)?, unsold.len(), &spent.to_vec()?, customers.len());
    let points = of_week.iter().enumerate().map(|(week, &cents)| (week as f64, euros(cents) / 1e6)).collect();
    let curve = Curve { name: "turnover of a week".to_owned(), colour: RGBColor(20, 80, 160), points };
    let top = of_week.iter().max().map_or(1.0, |&cents| 1.1 * euros(cents) / 1e6);
    let axes = ["week", "million euros"];
    let file =
        picture::draw((800, 480), |area| picture::curves(area, axes, (0.0..52.0, 0.0..top), vec![curve]))?;
    println!("all right on {}; see {}", queue.device(), file.display());
    Ok(())
}

fn euros(cents: u64) -> f64 {
    cents as f64 / 100.0
}

/// Answers four of the questions on the host, row by row.
fn check(rows: usize, of_week: &[u64], most: u32, unsold: usize, spent: &[u64], customers: usize) {
    let (mut weeks, mut cities) = (vec![0_u64; 52], [0_u64; CITIES.len()]);
    let (mut sold, mut buyers) = (vec![0_u32; PRODUCTS as usize], vec![false; CUSTOMERS as usize]);
    for i in 0..rows as u32 {
        let (product, customer) = (product_of(i), random(i, 5) % CUSTOMERS);
        let cents = u64::from(random(product, 7) % 5000 + 100) * u64::from(random(i, 6) % 5 + 1);
        weeks[day_of(i) as usize / 7] += cents;
        sold[product as usize] += 1;
        buyers[customer as usize] = true;
        if customer % 3 == 0 {
            cities[random(customer / 3, 8) as usize % CITIES.len()] += cents;
        }
    }
    assert_eq!(of_week, weeks);
    assert_eq!(Some(&sold[most as usize]), sold.iter().max());
    assert_eq!(unsold, sold.iter().filter(|&&count| count == 0).count());
    assert_eq!(spent, cities);
    assert_eq!(customers, buyers.iter().filter(|&&buys| buys).count());
}
