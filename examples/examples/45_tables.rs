//! Tables: sums of groups, counts and a join answer five questions about sales.
//!
//! `cargo run --release --example 45_tables -- 10000000`. The argument is the number of sales, by default 200000. A sale has
//! a week, a customer, a product and a number of pieces; each is a column, a vector on the device. The picture shows the
//! turnover of each week.

use cl_collections::prelude::*;
use cl_examples::picture::{self, Curve};
use plotters::style::RGBColor;
use std::error::Error;

const PRODUCTS: u32 = 2000;
const CUSTOMERS: u32 = 30_000;
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

    // The columns: four of the sales, one of the products, two of the customers.
    let row = iota(0_u32, rows).on(&queue);
    let customer = random(row.clone(), 5_u32) % CUSTOMERS;
    let columns = zip::<(u32, u32, u32, u32)>((
        day_of(row.clone()) / 7,
        customer,
        product_of(row.clone()),
        random(row, 6_u32) % 5 + 1,
    ));
    let (week, customer, product, pieces) = columns.collect()?;
    let cents = (random(iota(0_u32, PRODUCTS as usize).on(&queue), 7_u32) % 5000 + 100).collect()?;
    // Nothing is known about customers whose number is not a multiple of 3.
    let known = iota(0_u32, CUSTOMERS as usize / 3).on(&queue);
    let city = random(known.clone(), 8_u32) % CITIES.len() as u32;
    let (number, city) = (3 * known).zip(city).collect()?;

    let turnover = (cents.iter().gather(&product).cast::<u64>() * pieces.iter().cast::<u64>()).collect()?;

    // 1. What was the turnover of each week?
    let weeks = GroupBy::new(&week)?;
    // Weeks without sales have no group.
    let of_week = FlatMap::from_pairs(weeks.keys(), weeks.sum(&turnover)?)?;
    let of_week = of_week.get_or(iota(0_u32, 52), 0).collect()?.to_vec()?;
    println!(
        "1. turnover: {:.0} in the first week, {:.0} in the last",
        euros(of_week[0]),
        euros(of_week[51])
    );

    // 2. Which product was sold most often?
    let products = GroupBy::new(&product)?;
    let (at, count) = products.counts().max_element()?.ok_or("nothing was sold")?;
    let most = products.keys().get(at)?;
    println!("2. product {most} was sold most often, {count} times");

    // 3. How many products were never sold?
    let unsold = PRODUCTS as usize - products.len();
    println!("3. {unsold} products were never sold");

    // 4. In which city was most spent? The join leaves out the sales of customers whose city is not known.
    let join = inner_join(&customer, &number)?;
    let cities = GroupBy::new(&city.iter().gather(join.right()).collect()?)?;
    let spent = cities.sum(&turnover.iter().gather(join.left()).collect()?)?.to_vec()?;
    let best = spent.iter().enumerate().max_by_key(|(_, cents)| **cents).ok_or("no city is known")?.0;
    println!("4. most was spent in {}: {:.0}", CITIES[best], euros(spent[best]));

    // 5. How many customers spent more than 500 euros?
    let customers = GroupBy::new(&customer)?.sum(&turnover)?.iter().gt(50_000).count()?;
    println!("5. {customers} customers spent more than 500 euros");

    check(rows, &of_week, most, unsold, &spent, customers);
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

/// Answers the questions on the host, row by row.
fn check(rows: usize, of_week: &[u64], most: u32, unsold: usize, spent: &[u64], customers: usize) {
    let (mut weeks, mut cities) = (vec![0_u64; 52], [0_u64; CITIES.len()]);
    let (mut sold, mut bought) = (vec![0_u32; PRODUCTS as usize], vec![0_u64; CUSTOMERS as usize]);
    for i in 0..rows as u32 {
        let (product, customer) = (product_of(i), random(i, 5) % CUSTOMERS);
        let pieces = random(i, 6) % 5 + 1;
        let cents = u64::from(random(product, 7) % 5000 + 100) * u64::from(pieces);
        weeks[day_of(i) as usize / 7] += cents;
        sold[product as usize] += 1;
        bought[customer as usize] += cents;
        if customer % 3 == 0 {
            cities[random(customer / 3, 8) as usize % CITIES.len()] += cents;
        }
    }
    assert_eq!(of_week, weeks);
    assert_eq!(Some(&sold[most as usize]), sold.iter().max());
    assert_eq!(unsold, sold.iter().filter(|&&count| count == 0).count());
    assert_eq!(spent, cities);
    assert_eq!(customers, bought.iter().filter(|&&cents| cents > 50_000).count());
}
