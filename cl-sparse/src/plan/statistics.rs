//! What counts of a matrix: how long its rows are.

/// How many entries the rows of a matrix have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowStatistics {
    /// How many rows there are.
    pub rows: usize,
    /// Entries of all rows.
    pub entries: usize,
    /// Entries of the longest row.
    pub longest: usize,
    /// The sum of the squares of the rows' lengths.
    pub squares: f64,
}

impl RowStatistics {
    /// The statistics of rows of these lengths.
    ///
    /// ```
    /// use cl_sparse::plan::RowStatistics;
    ///
    /// let rows = RowStatistics::of([5, 0, 1]);
    /// assert_eq!((rows.rows, rows.entries, rows.longest), (3, 6, 5));
    /// assert_eq!(rows.mean(), 2.0);
    /// ```
    #[must_use]
    pub fn of(lengths: impl IntoIterator<Item = usize>) -> RowStatistics {
        lengths.into_iter().fold(RowStatistics::default(), |so_far, length| RowStatistics {
            rows: so_far.rows + 1,
            entries: so_far.entries + length,
            longest: so_far.longest.max(length),
            squares: so_far.squares + (length as f64).powi(2),
        })
    }

    /// Entries of a row, on average; 0 where there are no rows.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.entries as f64 / self.rows.max(1) as f64
    }

    /// By how much the lengths of rows differ: the mean square of what they are off the mean.
    #[must_use]
    pub fn variance(&self) -> f64 {
        (self.squares / self.rows.max(1) as f64 - self.mean().powi(2)).max(0.0)
    }

    /// The standard deviation relative to the mean; 0 where there are no entries.
    #[must_use]
    pub fn variation(&self) -> f64 {
        if self.entries == 0 { 0.0 } else { self.variance().sqrt() / self.mean() }
    }
}
