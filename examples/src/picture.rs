//! Pictures: reads PNG files, and writes those of the examples beside their executables.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An area to draw on.
pub type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// The red, green and blue of each pixel, row by row.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// The pixels in a row.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// Three bytes per pixel.
    pub rgb: Vec<u8>,
}

/// Reads a PNG file.
///
/// # Errors
/// If the file does not exist, is not a PNG file, or does not have three bytes per pixel. The error has the
/// file's name.
pub fn read(file: &Path) -> Result<Pixels, Box<dyn Error>> {
    decode(file).map_err(|error| format!("{}: {error}", file.display()).into())
}

fn decode(file: &Path) -> Result<Pixels, Box<dyn Error>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(file)?)).read_info()?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
        return Err("its pixels are not three bytes each".into());
    }
    let mut rgb = vec![0; 3 * width * height];
    reader.next_frame(&mut rgb)?;
    Ok(Pixels { width, height, rgb })
}

/// Writes pixels as a PNG file with the name of the running example, beside its executable. Returns the file's
/// path.
///
/// # Errors
/// If the file cannot be written, or the bytes are not three per pixel.
pub fn save(picture: &Pixels) -> Result<PathBuf, Box<dyn Error>> {
    let file = std::env::current_exe()?.with_extension("png");
    let (width, height) = (u32::try_from(picture.width)?, u32::try_from(picture.height)?);
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(&file)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&picture.rgb)?;
    Ok(file)
}

/// Saves a picture that `draw` draws on a white area of this width and height. Text is in the font
/// `sans-serif`.
///
/// # Errors
/// The errors of [`save`] and of `draw`.
pub fn draw(
    (width, height): (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
) -> Result<PathBuf, Box<dyn Error>> {
    // The font is part of the program, so that pictures look alike on every machine.
    plotters::style::register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| "the font cannot be read")?;
    let mut rgb = vec![255; 3 * width as usize * height as usize];
    {
        let area = BitMapBackend::with_buffer(&mut rgb, (width, height)).into_drawing_area();
        draw(&area)?;
        area.present()?;
    }
    save(&Pixels { width: width as usize, height: height as usize, rgb })
}

/// A line through points.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The name in the legend.
    pub name: String,
    /// The colour.
    pub colour: RGBColor,
    /// The points that the line passes through.
    pub points: Vec<(f64, f64)>,
}

/// Draws curves on an area, with labelled axes and a legend.
///
/// # Errors
/// The errors of `plotters`.
pub fn curves(
    area: &Area,
    [across, up]: [&str; 2],
    (x, y): (Range<f64>, Range<f64>),
    curves: Vec<Curve>,
) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .margin_right(30)
        .x_label_area_size(45)
        .y_label_area_size(60)
        .build_cartesian_2d(x, y)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(across).y_desc(up).label_style(("sans-serif", 14)).light_line_style(TRANSPARENT).draw()?;
    for Curve { name, colour, points } in curves {
        // Lines are one pixel wide: wider lines get long spikes where they turn sharply.
        chart
            .draw_series(LineSeries::new(points, colour))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
    }
    let mut legend = chart.configure_series_labels();
    let legend = legend.position(SeriesLabelPosition::UpperRight).margin(12);
    legend.label_font(("sans-serif", 14)).background_style(WHITE).border_style(BLACK.mix(0.3)).draw()?;
    Ok(())
}
