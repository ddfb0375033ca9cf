package trace

// LeftOut says what is not hashed, and why.
var LeftOut = leftOut
