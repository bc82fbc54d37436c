// The numbers that only GMRES has. OWN is the first word that is not common to all solvers: see begin.cl.

#define COLUMNS OWN       // The number of finished columns, for which the solution has not been corrected yet.
#define WIDTH (OWN + 1)   // The number of basis vectors in the correction that is being added to the solution.
#define AGAIN (OWN + 2)   // 1 if the new vector is not orthogonal enough yet.
#define SCALE (OWN + 3)   // The factor that makes the new vector a unit vector.

// The numbers in `numbers`, for bases of up to `most` vectors.
#define H(most, i) (i)                               // The new column of the Hessenberg matrix.
#define PART(most, i) ((most) + 1 + (i))             // The coefficients to subtract now.
#define G(most, i) (2 * (most) + 2 + (i))            // The rotated right-hand side.
#define Y(most, i) (3 * (most) + 3 + (i))            // The coefficients of the solution.
#define COSINE(most, i) (4 * (most) + 3 + (i))       // The rotations.
#define SINE(most, i) (5 * (most) + 3 + (i))
#define R(most, i, k) ((6 + (k)) * (most) + 3 + (i)) // The triangular matrix, column by column.

// A difference is only a rounding error if it is smaller than NOISE times its operands.
#define NOISE (16 * (REAL)(sizeof(ITEM) == 4 ? 1.1920929e-07f : 2.220446049250313e-16))
