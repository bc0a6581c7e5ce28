package shell

import "mvdan.cc/sh/v3/syntax"

// op is what an instruction does.
type op uint8

// The instructions. Words are put together by a builder, the topmost of a stack, from pieces; finished strings are on the
// stack of values, and the words of a command in the list of fields.
const (
	opEnd op = iota // the end of the unit

	opWord    // begin a word
	opLit     // add text to the word; a: it is quoted
	opParam   // add a parameter; a: quoted
	opSub     // add the output of the commands from here to a; b: quoted
	opArith   // the word is an expression: add its value to the word around it; a: quoted
	opField   // the word is done: split it and find files
	opString  // the word is done: push it as a value; a: how
	opTest1   // what goes before an operator of a parameter, such as ${x:-: skip the word behind it, to a
	opTest2   // what goes behind it
	opPush    // push text as a value
	opDrop    // drop a value
	opProcSub // push the descriptor from which the output of the commands from here to a is read

	opStmt     // a statement begins
	opCmd      // a simple command begins
	opPrefix   // a value is assigned for the command
	opSet      // a value is assigned
	opSetArray // the fields are assigned to an array; a: how many pairs of index and value are on the stack, or −1
	opAssigned // the command was assignments only
	opRun      // run the fields as a command; a: nothing comes after it in this process
	opDeclare  // the fields are a declaration such as export

	opRedirs  // redirections begin; a: where to go on if one fails
	opRedir   // redirect
	opUnredir // redirections end

	opErr      // leave if the status is not 0 and errors are fatal
	opCare     // errors are not fatal from here on (a = 1), or again (a = −1)
	opJump     // to a
	opJumpIf   // to a if the status is 0 (b = 1) or is not (b = 0)
	opNot      // turn the status round
	opStatus   // the status is a
	opLoop     // a loop begins; a: where break leads, b: where continue does
	opUnloop   // a loop ends
	opFor      // a loop over the fields begins
	opForNext  // the next field is assigned; a: where to go when there is none
	opSelect   // print a menu, read an answer
	opArgs     // the positional parameters are the fields
	opMatch    // a value is a pattern: go to a unless the value below it matches
	opSubshell // run the commands from here to a in another process
	opAsync    // the same, without waiting for it
	opPipe     // run each stage in a process
	opLeave    // the process ends here
	opFunc     // what follows up to a is a function
	opReturn   // a function ends
	opCond     // a test of [[ ]]; the status is its result
	opLet      // a value is an expression: the status is 0 if it is not 0
	opTime     // note the time (a = 0), print what has passed (a = 1)
	opSyntax   // print that there is a syntax error, and leave
	opForeign  // print that something is not emulated, and leave
)

// How a word becomes a string.
const (
	asText    = iota // quotes are taken away
	asPattern        // what was quoted stands for itself
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

// stage is a part of a pipeline: where it begins, and whether its standard error goes into the pipe too.
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
	cost   int // of compiling it, in steps
}
