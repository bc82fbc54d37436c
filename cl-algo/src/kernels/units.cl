// The units of an exchange of items around the position `middle`.
//
// The items before `middle` are the first side, and those from it on the second. Each side is divided into `pairs` units,
// and units of the same number are a pair. The last units of a side may have fewer items than the others, or none.

#define FIRST_BEGIN(pair) min((INDEX)(pair) * first_share, middle)
#define SECOND_BEGIN(pair) min(middle + (INDEX)(pair) * second_share, length)
