package hosttools

// Rows is the argument with which a caller bounds a list. Embed it in the input
// of every method that returns one.
type Rows struct {
	MaxRows int `json:"max_rows,omitempty" jsonschema:"how many rows to return at most" minimum:"1" maximum:"100" default:"20"`
}

// The limits of [Rows], which its tags repeat.
const (
	defaultRows = 20
	maxRows     = 100
)

// Limit returns the number of rows to return: what was asked for, 20 if nothing
// was, and at most 100. Read one row more, and let [NewPage] cut it off.
func (r Rows) Limit() int {
	if r.MaxRows < 1 {
		return defaultRows
	}
	return min(r.MaxRows, maxRows)
}

// Page is a list as a method returns it. Models are told when they saw only a
// part of it.
type Page[T any] struct {
	Items     []T  `json:"items" jsonschema:"the rows"`
	Count     int  `json:"count" jsonschema:"how many rows are in this answer"`
	Truncated bool `json:"truncated" jsonschema:"true if there are more rows than were returned"`
}

// NewPage returns the first limit of rows, marked as truncated if there are
// more.
func NewPage[T any](rows []T, limit int) Page[T] {
	limit = max(limit, 0)
	page := Page[T]{Items: rows, Truncated: len(rows) > limit}
	if page.Truncated {
		page.Items = rows[:limit:limit]
	}
	if page.Items == nil {
		page.Items = []T{}
	}
	page.Count = len(page.Items)
	return page
}
