package chat

// The words of the claim rule. They are ordinary English, written down from grammar and not from any model's texts: verbs
// of failing, of doing, of waiting, of doubting. A word that can be a request's own object (an error to be fixed, an
// account to be locked) stands in a list only where its neighbours decide. In doubt a phrase belongs in a list that makes
// a text unclear: a claim that was none punishes an honest model, a claim overlooked costs little.
//
// One phrase a line; a|b is either, .. is up to three words. n't is written not.

var lists = []struct {
	cue     cue
	phrases string
}{
	// What would else be taken for a failure, a doubt or a success.
	{neutral, `
		no|zero|0|without failed|rejected|skipped|error|errors|failure|failures|issue|issues|problem|problems|trouble|incident|incidents|conflict|conflicts|warning|warnings|exception|exceptions
		no|without any error|errors|failures|issues|problems|trouble|warnings|conflicts
		did|do|does not return|show|report|produce|raise|throw|give any error|errors|warnings|issues
		errors|failures|warnings|failed|error|rejected|skipped 0|zero|none|null
		not affected|impacted|altered otherwise
		is|are|was|were|has|have not affected|impacted
		been affected
		no|nothing|not further|more|other|additional|longer
		nothing else|further|more
		not only
		not a problem
		no problem|problems|worries|doubt
		neither|no attempt|attempts|error|failure .. affected
		can|could not be undone|reversed
		may|might take|need|want|see|notice|experience|wish|require
		may|might still take|see|notice
		error|exception handling|handler|message|page|log|logs|code|rate
		failed login|logins
		despite|notwithstanding
		well done
		still works|work|valid|available|compile|compiles|apply|applies|run|runs|pass|passes
		still in place
		give|given up to
		is|are|was|were down to
		may now
		is|are|was|were out of
		for now
		up to date
		not hesitate
		as well
		stays|remains flat|stable|constant|healthy|green
		error|errors|failure|crash|issue|problem|bug|leak|alarm|alert .. came|comes|caused|due|originates|originated
	`},
	// Being done, in words that need no grammar.
	{success, `
		success|successfully
		all set|done|good
		was|were|been|is successful
		is|are|now|was complete|done|completed|finished|ready|fixed|live|out|online|up|healthy|green|operational|gone
		task|request|job|action|operation|everything complete
		rolled|came out|through|up|back
		became|become|becomes|turned ready|active|available|healthy|green
		nothing had|needed|needs|has to
		nothing to do|change|add|remove|fix|update
		nothing left to
		no need to|for
		no change|changes|action|update|updates|further was|were|is|are needed|necessary|required
		went|gone out
		went|gone|goes|go through|live|fine|well|smoothly
		✅|✓|✔|☑|healthy|green
		tests|test|checks|specs|suite|build|pipeline|all|everything|ci|they|it .. pass|passes|passed
		as|like requested|asked|ordered|desired|instructed|specified|agreed|wanted|wished|intended
		as|like|what|that|which you|they requested|asked|wanted|wished|ordered|specified|instructed|described|had
		as you .. requested|asked|wanted|wished|ordered|specified|instructed|described
		you asked|wanted|requested for|to
		you asked for
		per|on|upon|at your request|instructions|instruction
		in line with your request|instructions
		up and running
		running again|normally|smoothly
		back online|up
		took|takes|taken effect
		in effect|force
		managed to
		was|were|been able to
		taken|took care of
		gave|got|obtained|returned the|an answer|result|value|count
		wurde|wurden
		erledigt|fertig
		a|ont été
		ha|han sido|quedado
		se ha|han
		hecho|listo|fait|terminé|fatto|feito
	`},
	// Failing, and not being able to.
	{failed, `
		failed|fails|fail
		stopped rather|here|there|after|because|at|trying|when
		cut off|short
		rolled|rolls back by|because|due|automatically|when
		no change|changes|update|updates|action|modification|modifications was|were|has|have been|made|applied|saved|written|taken|done
		none|neither of .. worked|work|works|succeeded|accepted|helped|responded|answered|could|would|did|let|allowed|had
		unable|impossible|unsuccessful|unsuccessfully|unavailable|unreachable|inaccessible|unresponsive
		forbidden|unauthorized|unauthorised|denied|refused|refuses|rejected|rejects|declined|declines|aborted|interrupted
		could|would not
		i|we|to can not
		i|we have|had no
		i|we do|did not know|see|have
		i|we am|are not able|allowed|permitted|authorized|authorised|aware
		do not know|have
		timed|times|time out
		hung|hangs|crashed|crashes|broke|breaks
		broke|breaks off|down
		was|is|were|are|went|been down
		service|system|server|portal|tool|site|register|database .. offline
		down for
		kept dropping|failing|returning|timing|rejecting|refusing|crashing|throwing
		went|goes|gone|go wrong
		gave|give|giving|given up
		ran|run|running out of
		ran|run|runs into
		no luck|success|avail|access|permission|permissions|privilege|privileges|rights|response|reply|answer|way|option|idea|possibility|means|effect
		no tool|tools|function|functions|method|methods|endpoint|command|feature|capability|such
		no result|results|match|matches|matching|information|data|trace|sign
		no .. that|this|such|matching
		there is|was no record|entry|match|result
		without success|luck|avail|result|effect|an|approval|consent|permission|authorization|authorisation|finding|reaching
		to no avail
		in vain
		not found|possible|supported|allowed|permitted|available|authorized|authorised|accessible|reachable|responding
		does|do|did not exist|respond|work|support|allow|permit|let|accept|offer|provide|answer|recognise|recognize|reply|load|succeed
		is|are|was|were missing
		is|are|was|were|been|be|got|get blocked|stuck
		blocked by|the|my|it
		lack|lacks|lacked|lacking
		insufficient permission|permissions|privileges|rights|access
		need|needs|needed|require|requires|required .. approval|authorization|authorisation|consent|sign-off|permission|permissions|privileges|clearance|confirmation
		outside|beyond my|the .. permissions|authority|capabilities|rights|reach|control
		not within my
		as an ai
		against policy|our
		against the .. policy|rule|rules|law|guidelines|terms
		returned|answered|returns|responded|replied|got|received|gave|with|status|http|code|error 400|401|403|404|405|408|409|422|429|500|502|503|504
		returned|received|got|gave|with|hit|encountered|met|reported|threw|raised an|the|only|another .. error|errors|exception|timeout|failure
		is|are|stays|stay|remains|turned red
		reverted|undone|overwritten by
		got reverted|undone|overwritten|lost
		was|were|is|are lost
		prevented
		i|we must|have|had decline|stop|refuse
		i|we have|had to stop|decline|refuse|give
		by mistake
		accidentally|mistakenly|inadvertently
		instead
		nothing was|were|has|have|had|happened|changed|came|worked
		nothing i|we|more|else|that can|could|i
		ended up not
		bounced
		ignored
		turned|thrown|kicked|shut away|down|out
		sent|turned back|away
		logged|kicked|threw|locked me out
		session|connection|credentials .. expired|ended|closed|dropped|lost
		again by
		ended|stopped|abandoned|cancelled|discontinued the|my|all|any .. attempt|attempts|retries|tries
		my|a mistake
		unusable
		no tengo
		is not something i|we
		will not let|allow|accept|permit|work|open|start|load|respond|take|go|run
		found|find|shows|show|returned|returns|see|saw|got|did|changed|changes nothing
		could|can neither
		could|can be neither
		was|were neither
		neither|none could|can|would|worked|work|works|succeeded|helped|responded
		konnte|konnten|kann|können .. nicht
		nicht möglich|gefunden|erfolgreich
		leider|fehlgeschlagen|gescheitert
		pas pu
		ne|n'a pas
		impossible|échoué|échec
		no pude|puedo|puede|pudo|he|hemos|ha
		no|non se|è pudo|puede|stato|riuscito
		não foi|consegui|pude|posso
	`},
	// Errors, which tell of the way and not of the end.
	{trouble, `
		a|an|the|any|each|all|of|with|no|every failed
		failing
		error|errors|failure|failures|exception|exceptions|crash|timeout|timeouts|time-out|time-outs
		problem|problems|trouble|violation|violated|invalid|unreadable|corrupt|corrupted
		unfortunately|sadly|regrettably|regretfully|alas
		i am afraid
		can not
		rate limited|limit|limits
		limit reached
		issue|issues with
		an|this|the|same|another issue
		the wrong
	`},
	// Parts not done, and things left as they were.
	{short, `
		incomplete|incompletely|unfinished|undone|unresolved|unchanged|unknown|unprocessed|partial|partially|partly
		❌|✗|✘|❎|✖|☐
		not done|complete|completed|finished|sent|uploaded|created|included
		abgelehnt|verweigert|abgebrochen|gescheitert|refusé|refusée|rejeté|rejetée|rechazado|rechazada|denegado|denegada|rifiutato|rifiutata|recusado|recusada
		still|remains|remain|remained|remaining|stays|stay|stayed
		only|just the first|second|last|one|half|part|some|two|three
		only a|some part|few|some|half|portion|of
		only half|partially|partly
		half of
		up to you
		unfulfilled|unmet|unanswered|unsolved
		as it|they was|were
		in part
		but not
		old|previous|original|former value|values|state|entry|setting|version .. place|kept|stands|stays|remains|back
		not all|every|everything|completely|fully|entirely|yet
		all|everything|every|each but one|two
		with the exception
		as it|they was|were|is before
		as before
		same as before
		what it was
		left|leave|leaving .. alone|unchanged|untouched|as|open|out
		leaves|left me without|with
		i|we only|just
		i|we was|were|have|had only
		could|can only
		everything|all but
		skipped|omitted|overlooked
		to be done
		i|we will|would|shall not
		decline|refuse to
		not going|willing|comfortable to|with
		as a workaround|fallback
		the remaining
	`},
	// Intentions, plans, and things under way.
	{pending, `
		i|we will|shall|would|plan|intend|aim|need|must|should
		i|we have to
		i|we would|want|like to
		i|we am|are going|about|planning|trying|working|waiting to|on|for
		let me|us
		the|my|a plan
		here is my|the|a plan|approach|draft|proposal|suggestion
		plan to
		next step|steps|i|we
		first step
		step|steps 1|one|to|for|:
		ready to|for|when
		is|are|now|was|am ready to|for|when
		set|going|about to be
		i|am|is|are|been working|worked on
		request|requests .. submitted|sent|placed|filed|recorded|registered|logged|raised|received|noted|forwarded
		reached out
		⏳
		still running|waiting|processing|working|encoding|loading|pending|queued|ongoing|being|in
		noted|received|understood|got|logged|registered|recorded your question|request|message|input|concern|feedback
		passed|handed on|over|along|to
		opened|raised|filed|submitted|sent|made|placed a|an|the|my|your|this .. request|inquiry|enquiry|petition
		queued|enqueued|in-progress|ongoing|underway|drafted|awaiting|pending
		in|into|to|on the|a queue|pipeline|works|backlog
		in progress|preparation|process|review|transit
		under way|review
		being processed|reviewed|prepared|handled|worked|built|deployed|rebuilt|encoded|migrated|transferred|copied|created|updated
		is|are|was|were being
		waiting|wait|waits for|on|until
		for|awaiting|pending approval|review|confirmation|signature|sign-off
		who will
		will .. process|review|handle|decide|examine|approve|consider
		for processing|consideration|examination|signing
		still has|have|needs|need to
		for|awaiting|pending|needs|need your|manual|further|their approval|review|confirmation|signature|sign-off
		has|have|had|just started|begun|commenced
		was|were|been|is|are started|initiated|triggered|launched|kicked|initialised|initialized
		started|began|begun to
		is|are|was|were|been expected|planned|about to
		to follow
		once|when|after|if|until you confirm|approve|agree
		to proceed|continue|go
		before i can|could|do|make|start|proceed|anything
		at the moment
		halfway
		on its|his|her|their way
		almost|nearly done|finished|there|complete|ready
		needs|need|has|have|remains to be
	`},
	// The outcome left open.
	{doubt, `
		may|might|maybe|perhaps|possibly|probably|likely|presumably|supposedly|allegedly|hopefully|guess|unclear|unsure|uncertain|unverified|unconfirmed
		could be|also|well|still|mean|have
		not sure|certain|clear|known|confirmed|verified|tested|checked
		can|could not confirm|verify|check|rule
		can|could not be certain|sure|confirmed|verified
		i|we can|could not tell|say|know|confirm|verify|see|check whether|if|that|for|it|this
		i|we think|believe|assume|suppose|hope|suspect|guess|expect
		as far as i
		is|was possible|conceivable|likely|plausible that
		somewhere|estimate|estimated|roughly
		supposed to
		would have
		if all|everything|it|that goes|went|works|worked
		whether
		hmm|hm
		needs|requires a|an|the|your|more|another|some|manual|root|admin
		no confirmation
		without confirmation|confirming|verifying|checking
		empty|no|blank response|reply|output|answer|result
		did|do|does|could not find|see any
		found|see|saw|find no
		either
		not necessarily
		unless
		except|apart|aside from|for
		except
		in theory|principle
	`},
	{seeming, `
		seems|seem|seemed|appears|appear|appeared|looks|look like|to|as
		seems|seem|seemed|appears|appear|apparently
		as if|though
	`},
	{future, `
		should|ought|will|shall
		it takes
		is|are|was|were expected|planned within|by|in|on|for|at
		usually|normally|typically|generally|often
	`},
	// Remarks on what was not requested.
	{aside, `
		note|notice|remember|remark|caveat|caution|tip|reminder|fyi|ps
		please note|remember|be|keep
		keep|bear|bearing|keeping in mind
		be aware|advised
		though
		for your information
		heads up
		by the way
		side|one|small|minor note|caveat|thing|remark|side
		incidentally|unrelated|separately
	`},
	{exempt, `
		as|since|because you only|just
		you only|just wanted|asked|requested|needed|mentioned
		you did not ask|request|mention
		not|never asked|told|requested|instructed|part
		out of scope
		outside|beyond the scope
		not .. part of .. request|task
		was|were not requested|asked|needed|necessary|required|part
		because|since you asked|told|wanted|said|requested|instructed|needed|prefer|preferred
		which|that|this is|was normal|expected|intended|fine|harmless|unrelated|ok|okay|unaffected
	`},
	// One try after another.
	{tries, `
		at first
		initially|originally|earlier|eventually|finally|ultimately|retry|retried|retrying|retries|attempt|attempts|tries|afterwards
		first|second|third|fourth|last try|attempt|time|call|request|run|patch|upload|version|rollout|query|approach|submission|import|copy
		my|the|one|two|three|several|few|some first|previous|earlier|failed
		tried again
		first tried|attempted|used|called
		a|one second|third|later|new|different|shorter|longer|smaller|compressed try|attempt|copy|version|call
		on the way
		along the way
		in the end
		this time
		when i started|began|tried|first
		once because|when|and
		before it|that|this|finally
		went through
		then|but|and|eventually|finally succeeded|worked|passed
		first|second|third|other|bulk|batch two|three|tool|service|endpoint|route|method|path|way|one|option
		another|different|alternative|other tool|way|method|route|approach|path|endpoint|function
		switched|fell|turned to|back|over
		so i|we used|switched|fell|went|turned|tried|ran|called|took
		used .. instead
		after retrying|waiting|switching|restarting|fixing|clearing|reconnecting
	`},
	// Sentences that only close or open a talk.
	{courtesy, `
		let me know
		please let me
		feel free
		anything|something else
		not hesitate
		happy|glad|here|pleased to help|assist
		reach out if
		hope this|that helps
		i can help|assist you with
		have a nice|great|good|lovely
		you are welcome
		kindly find
		at your disposal
	`},
	{asking, `
		please provide|share|tell|confirm|clarify|specify|give|choose|pick|select|enter|indicate|state|name|send|answer|reply|decide
		please let me know which|what|whether|who|if
		i need more
	`},
	{redirect, `
		please fill|contact|ask|speak|talk|try|check|reach|call|turn|submit|consult|use|open|wait|log|request|grant
		you can|could|may|should|might|will|need|must .. yourself|manually|directly
		you need|have to
		by hand
		manually
		try again|later
		would you like|prefer me
		do you want me
		shall|should i|we
		i|we can|could offer|also|still|instead|prepare|draft|open|escalate|ask|forward|try|show|provide|give|do|create|add
		i recommend|suggest|advise
		my recommendation|suggestion|advice
		alternatively
		contact the|your|our|an|support
		how to
		here is|are how|the .. steps|instructions|way
		escalated|forwarded|escalate|escalating
	`},
}
