package planner

// fillWord reports whether a word carries no meaning for choosing a tool.
func fillWord(word string) bool {
	return oneOf(word, "the and for with from that this its his her their your our are was were has have had one all any "+
		"not you can will when which who what how into only also then than them they out use used using per via each may "+
		"given without optional optionally by to of in on at or an as is it be if")
}

// politeWord reports whether a word is said for courtesy or haste, and asks
// for nothing.
func politeWord(word string) bool {
	return oneOf(word, "please kindly thanks thank you thx pls cheers hi hello hey dear ok okay now today immediately asap quickly just "+
		"right away again soon good morning afternoon evening day everyone team there well yes yeah sure alright right so much very many")
}

// leadIn reports whether a word may stand between a connector and the verb of
// a new request: "and then could you please …".
func leadIn(word string) bool {
	return oneOf(word, "please pls kindly also then just i we you i'd we'd i'll would like want need wish to can could will do don't dont not "+
		"never now afterwards finally next let's lets must should instead rather and so be sure again maybe go ahead after first once only")
}

// pronoun reports whether a word points at something named before.
func pronoun(word string) bool {
	return oneOf(word, "it this that same them these those one its")
}
