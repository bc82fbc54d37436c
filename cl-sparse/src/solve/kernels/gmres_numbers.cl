// What GMRES keeps besides the words that all solvers have.

#define COLUMNS OWN       // Vectors of the basis that count: what the solution will be corrected along.
#define WIDTH (OWN + 1)   // Those that it is being corrected along.
#define AGAIN (OWN + 2)   // Whether the new vector is not orthogonal enough yet.
#define SCALE (OWN + 3)   // What makes it a unit vector.

// In `numbers`, for bases of up to `most` vectors:
#define H(most, i) (i)                               // the column of the Hessenberg matrix that is being made,
#define PART(most, i) ((most) + 1 + (i))             // what is to be subtracted now,
#define G(most, i) (2 * (most) + 2 + (i))            // the rotated right-hand side,
#define Y(most, i) (3 * (most) + 3 + (i))            // the coefficients of the solution,
#define COSINE(most, i) (4 * (most) + 3 + (i))       // rotations,
#define SINE(most, i) (5 * (most) + 3 + (i))
#define R(most, i, k) ((6 + (k)) * (most) + 3 + (i)) // and the triangle, column by column.

// What is this much smaller than what it was computed from is nothing but rounding.
#define NOISE (16 * (REAL)(sizeof(ITEM) == 4 ? 1.1920929e-07f : 2.220446049250313e-16))
