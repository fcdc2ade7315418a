package schema

import "strings"

// Sentence returns the issues as the end of a sentence for people:
// "count must be a whole number; kind is missing".
func Sentence(issues []Issue) string {
	words := make([]string, 0, len(issues))
	for _, issue := range issues {
		name := strings.TrimPrefix(issue.Pointer, "/")
		if name == "" {
			name = "the whole"
		}
		words = append(words, name+" "+issue.Message)
	}
	return strings.Join(words, "; ")
}
