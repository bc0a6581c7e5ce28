package shell

import "mvdan.cc/sh/v3/syntax"

// op is an instruction's operation.
type op uint8

// The operations. A builder assembles a word from parts; builders form a stack. Finished strings
// are on the stack of values, and the words of a command are in the list of fields.
const (
	opEnd op = iota // the end of the unit

	opWord    // begin a word
	opLit     // add text to the word; a: it is quoted
	opParam   // add a parameter; a: quoted
	opSub     // add the output of the commands from here to a; b: quoted
	opArith   // the word is an expression: add its value to the outer word; a: quoted
	opField   // the word is complete: split it and expand file patterns
	opString  // the word is complete: push it as a value; a: how
	opTest1   // the part before an operator of a parameter, such as ${x:-: skip the word after it, to a
	opTest2   // the part after it
	opPush    // push text as a value
	opDrop    // drop a value
	opProcSub // push the descriptor that reads the output of the commands from here to a

	opStmt     // a statement begins
	opCmd      // a simple command begins
	opPrefix   // assign a value for the command
	opSet      // assign a value
	opSetArray // assign the fields to an array; a: how many pairs of index and value are on the stack, or −1
	opAssigned // the command had only assignments
	opRun      // run the fields as a command; a: nothing comes after it in this process
	opDeclare  // the fields are a declaration such as export

	opRedirs  // redirections begin; a: where to continue if one fails
	opRedir   // redirect
	opUnredir // redirections end

	opErr      // leave if the status is not 0 and errors are fatal
	opCare     // errors are not fatal from here on (a = 1), or are so again (a = −1)
	opJump     // to a
	opJumpIf   // to a if the status is 0 (b = 1) or not 0 (b = 0)
	opNot      // negate the status
	opStatus   // set the status to a
	opLoop     // a loop begins; a: target of break, b: target of continue
	opUnloop   // a loop ends
	opFor      // a loop over the fields begins
	opForNext  // assign the next field; a: target if none exists
	opSelect   // print a menu, read an answer
	opArgs     // set the positional parameters to the fields
	opMatch    // a value is a pattern: jump to a unless the value below it matches
	opSubshell // run the commands from here to a in another process
	opAsync    // like opSubshell, without waiting
	opPipe     // run each stage in its own process
	opLeave    // the process ends here
	opFunc     // define the code up to a as a function
	opReturn   // a function ends
	opCond     // a test of [[ ]]; the status is its result
	opLet      // a value is an expression: the status is 0 if it is not 0
	opTime     // record the time (a = 0), or print the time passed (a = 1)
	opSyntax   // print that there is a syntax error, and leave
	opForeign  // print that something is not emulated, and leave
)

// How a word becomes a string.
const (
	asText    = iota // quotes are removed
	asPattern        // quoted characters are literal
	asRegexp
)

// instr is an instruction.
type instr struct {
	op     op
	a, b   int
	line   int
	text   string
	param  *param
	redir  *redir
	stages []stage
	unary  syntax.UnTestOperator
	binary syntax.BinTestOperator
}

// stage is a part of a pipeline: where it begins, and whether its standard error also goes into the
// pipe.
type stage struct {
	pc     int
	stderr bool
}

// param is a parameter expansion.
type param struct {
	name   string
	index  indexKind
	length bool // ${#x}
	excl   bool // ${!x}
	names  bool // ${!x*}

	op       syntax.ParExpOperator // with a word
	hasOp    bool
	slice    bool // ${x:a:b}, with one or two values
	sliceLen bool
	replace  bool // ${x/a/b}, with two values
	all      bool
	anchor   byte // '#' or '%' of ${x/#a/b}
}

type indexKind uint8

const (
	noIndex   indexKind = iota
	atIndex             // [@]
	starIndex           // [*]
	exprIndex           // a value
)

// redir is a redirection.
type redir struct {
	op   syntax.RedirOperator
	fd   int
	proc bool // from the descriptor of an opProcSub
}

// code is a compiled unit. It is shared and never changed.
type code struct {
	ins    []instr
	source string
	cost   int // of compilation, in steps
}

// compiler turns a parsed source into instructions.
type compiler struct {
	dialect dialect
	source  string
	ins     []instr
	line    int
}

func (c *compiler) emit(in instr) int {
	in.line = c.line
	c.ins = append(c.ins, in)
	return len(c.ins) - 1
}

// here makes a jump at an instruction lead to the next one.
func (c *compiler) here(at int) { c.ins[at].a = len(c.ins) }

func (c *compiler) foreign(what string) {
	c.emit(instr{op: opForeign, text: what + " is not emulated"})
}
