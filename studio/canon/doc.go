// Package canon reads the arguments of a tool call strictly, and gives every
// value exactly one sequence of bytes.
//
// Those bytes are what the approval card shows, what the hash covers and what
// the tool receives, so two promises matter more than speed:
//
//   - [Parse] accepts only text that every JSON reader understands alike. What
//     readers are known to disagree about is refused: repeated names, names
//     that differ only in case, invalid UTF-8, lone surrogates, and text that
//     is too deep or too large.
//   - [Bytes] of two values are equal exactly if [Equal] says so, and what
//     Bytes returns, Parse accepts and Bytes reproduces.
//
// # Canonical bytes
//
// The form is RFC 8785: no white space, names sorted by their UTF-16 code
// units, minimal escapes, floats as ECMAScript prints them. No Unicode
// normalisation takes place. A null member and an absent member are different.
//
// There is one deliberate difference. RFC 8785 knows only doubles, so it turns
// 9007199254740993 into 9007199254740992, and two different calls would share
// one hash. Here an integer is written digit for digit, however large, up to
// [MaxIntegerDigits]. A reader that needs RFC 8785 to the letter must keep its
// integers within ±(2^53−1); within that range both forms are the same.
//
// # Integers and floats
//
// JSON has one kind of number, a schema has two. A parsed number keeps its
// literal; a caller that knows the schema replaces it with an [Int] or [Float]
// node, using [Value.Integer] or [Value.Float]. A number that nobody replaced
// counts as an integer if it is written as one (no fraction, no exponent), and
// as a float otherwise. Negative zero is zero. A number that its kind cannot
// hold is refused, never rounded to infinity or to zero.
package canon
