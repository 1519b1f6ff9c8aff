package reward

// JudgeAt judges the first k turns of a trace, k from 1: what Judge would say had the turn limit been k and the model
// played the same turns. The figures @k of docs/reward.md section 8 are counted over it.
func JudgeAt(t *Trace, k int) Outcome {
	cut := t.prefix(k)
	return Judge(&cut)
}

// prefix is t under the turn limit min(K, k). It shares the slices of t.
//
// Where a call comes after turn k, message k+1 is the one that ended the episode: it stays, as the message after turn K
// does in every truncated trace, and nothing that was said later is known.
func (t *Trace) prefix(k int) Trace {
	cut := *t
	cut.K = min(t.K, k)
	calls := len(t.Calls)
	for calls > 0 && t.Calls[calls-1].Turn > k {
		calls--
	}
	if calls == len(t.Calls) {
		return cut
	}
	cut.Calls = t.Calls[:calls]
	cut.Messages = t.Messages[:min(len(t.Messages), k+1)]
	cut.Truncated = true
	cut.Claim = NoClaim
	return cut
}
