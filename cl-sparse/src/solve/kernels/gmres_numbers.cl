// The numbers of GMRES besides the words of all solvers.

#define COLUMNS OWN       // The number of basis vectors that the solution will be corrected along.
#define WIDTH (OWN + 1)   // The number of basis vectors that it is being corrected along.
#define AGAIN (OWN + 2)   // 1 if the new vector is not orthogonal enough yet.
#define SCALE (OWN + 3)   // The factor that makes the new vector a unit vector.

// The numbers in `numbers`, for bases of up to `most` vectors.
#define H(most, i) (i)                               // The new column of the Hessenberg matrix.
#define PART(most, i) ((most) + 1 + (i))             // The coefficients to subtract now.
#define G(most, i) (2 * (most) + 2 + (i))            // The rotated right-hand side.
#define Y(most, i) (3 * (most) + 3 + (i))            // The coefficients of the solution.
#define COSINE(most, i) (4 * (most) + 3 + (i))       // The rotations.
#define SINE(most, i) (5 * (most) + 3 + (i))
#define R(most, i, k) ((6 + (k)) * (most) + 3 + (i)) // The triangle, column by column.

// A number that is smaller than this fraction of its operands is only rounding.
#define NOISE (16 * (REAL)(sizeof(ITEM) == 4 ? 1.1920929e-07f : 2.220446049250313e-16))
