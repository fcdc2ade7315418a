// Package engine answers: it takes a turn from a person's message to a reply.
//
// A turn is match → select → step { propose → review → ask → execute → fold }
// until a step proposes no call and so drafts the reply. The stages are visible
// as two ordered slices, a file per stage. Everything between two stages is in
// rows: a turn that waits for a person holds no goroutine, and goes on in
// whichever process leases it next.
package engine
