//! Statistics of the rows' lengths.

/// Statistics of the numbers of entries in the rows of a matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowStatistics {
    /// The number of rows.
    pub rows: usize,
    /// The number of entries in all rows.
    pub entries: usize,
    /// The number of entries in the longest row.
    pub longest: usize,
    /// The sum of the squares of the rows' lengths.
    pub squares: f64,
}

impl RowStatistics {
    /// Computes the statistics of rows of these lengths.
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

    /// Returns the mean number of entries in a row; 0 if the matrix has no rows.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.entries as f64 / self.rows.max(1) as f64
    }

    /// Returns the variance of the rows' lengths.
    #[must_use]
    pub fn variance(&self) -> f64 {
        (self.squares / self.rows.max(1) as f64 - self.mean().powi(2)).max(0.0)
    }

    /// Returns the coefficient of variation: the standard deviation divided by the mean; 0 without entries.
    #[must_use]
    pub fn variation(&self) -> f64 {
        if self.entries == 0 { 0.0 } else { self.variance().sqrt() / self.mean() }
    }
}
