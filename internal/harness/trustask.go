package harness

// TrustAsk is how a program of the host's is asked, in JSON-RPC over its standard streams, which hooks it trusts, and told to
// trust some.
type TrustAsk struct {
	Argv    []string // behind the host's executable
	Open    []RPC    // said first
	List    RPC      // its params have the token {root}
	Items   string   // gjson path in the result of List: the hooks
	Command string   // the rest are gjson paths in one of them: what it starts,
	Key     string   // under which its trust is kept,
	Hash    string   // and what has to be trusted of it
	Trusted []Predicate
	Grant   string // JSON with the token {hash}: what is kept
	Write   RPC    // its params have the token "{grants}", which stands for an object of keys and grants
}

// RPC is one message.
type RPC struct {
	Method string
	Params string // JSON, with tokens; empty: none
	Notify bool   // it is not answered
}
