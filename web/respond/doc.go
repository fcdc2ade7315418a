// Package respond turns results and errors into answers: JSON, HTML, and the
// one table from error codes to statuses. Internal text never leaves it.
package respond
