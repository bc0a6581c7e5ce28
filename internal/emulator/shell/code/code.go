package code

import "mvdan.cc/sh/v3/syntax"

// Op is an instruction's operation.
type Op uint8

// The operations. A builder assembles a word from parts; builders form a stack. Finished strings
// are on the stack of values, and the words of a command are in the list of fields.
const (
	OpEnd Op = iota // the end of the unit

	OpWord    // begin a word
	OpLit     // add text to the word; a: it is quoted
	OpParam   // add a parameter; a: quoted
	OpSub     // add the output of the commands from here to a; b: quoted
	OpArith   // the word is an expression: add its value to the outer word; a: quoted
	OpField   // the word is complete: split it and expand file patterns
	OpString  // the word is complete: push it as a value; a: how
	OpTest1   // the part before an operator of a parameter, such as ${x:-: skip the word after it, to a
	OpTest2   // the part after it
	OpPush    // push text as a value
	OpDrop    // drop a value
	OpProcSub // push the descriptor that reads the output of the commands from here to a

	OpStmt     // a statement begins
	OpCmd      // a simple command begins
	OpPrefix   // assign a value for the command
	OpSet      // assign a value
	OpSetArray // assign the fields to an array; a: how many pairs of index and value are on the stack, or −1
	OpAssigned // the command had only assignments
	OpRun      // run the fields as a command; a: nothing comes after it in this process
	OpDeclare  // the fields are a declaration such as export

	OpRedirs  // redirections begin; a: where to continue if one fails
	OpRedir   // redirect
	OpUnredir // redirections end

	OpErr      // leave if the status is not 0 and errors are fatal
	OpCare     // errors are not fatal from here on (a = 1), or are so again (a = −1)
	OpJump     // to a
	OpJumpIf   // to a if the status is 0 (b = 1) or not 0 (b = 0)
	OpNot      // negate the status
	OpStatus   // set the status to a
	OpLoop     // a loop begins; a: target of break, b: target of continue
	OpUnloop   // a loop ends
	OpFor      // a loop over the fields begins
	OpForNext  // assign the next field; a: target if none exists
	OpSelect   // print a menu, read an answer
	OpArgs     // set the positional parameters to the fields
	OpMatch    // a value is a pattern: jump to a unless the value below it matches
	OpSubshell // run the commands from here to a in another process
	OpAsync    // like OpSubshell, without waiting
	OpPipe     // run each stage in its own process
	OpLeave    // the process ends here
	OpFunc     // define the code up to a as a function
	OpReturn   // a function ends
	OpCond     // a test of [[ ]]; the status is its result
	OpLet      // a value is an expression: the status is 0 if it is not 0
	OpTime     // record the time (a = 0), or print the time passed (a = 1)
	OpSyntax   // print that there is a syntax error, and leave
	OpForeign  // print that something is not emulated, and leave
)

// How a word becomes a string.
const (
	AsText    = iota // quotes are removed
	AsPattern        // quoted characters are literal
	AsRegexp
)

// Instr is an instruction.
type Instr struct {
	Op     Op
	A, B   int
	Line   int
	Text   string
	Param  *Param
	Redir  *Redir
	Stages []Stage
	Unary  syntax.UnTestOperator
	Binary syntax.BinTestOperator
}

// Stage is a part of a pipeline: where it begins, and whether its standard error also goes into the
// pipe.
type Stage struct {
	PC     int
	Stderr bool
}

// Param is a parameter expansion.
type Param struct {
	Name   string
	Index  IndexKind
	Length bool // ${#x}
	Excl   bool // ${!x}
	Names  bool // ${!x*}

	Op       syntax.ParExpOperator // with a word
	HasOp    bool
	Slice    bool // ${x:a:b}, with one or two values
	SliceLen bool
	Replace  bool // ${x/a/b}, with two values
	All      bool
	Anchor   byte // '#' or '%' of ${x/#a/b}
}

// IndexKind is what the index of a parameter is.
type IndexKind uint8

// The kinds of indices.
const (
	NoIndex   IndexKind = iota
	AtIndex             // [@]
	StarIndex           // [*]
	ExprIndex           // a value
)

// Redir is a redirection.
type Redir struct {
	Op   syntax.RedirOperator
	FD   int
	Proc bool // from the descriptor of an OpProcSub
}

// Code is a compiled unit. It is shared and never changed.
type Code struct {
	Ins []Instr
}

// compiler turns a parsed source into instructions.
type compiler struct {
	dialect Dialect
	source  string
	ins     []Instr
	line    int
}

func (c *compiler) emit(in Instr) int {
	in.Line = c.line
	c.ins = append(c.ins, in)
	return len(c.ins) - 1
}

// here makes a jump at an instruction lead to the next one.
func (c *compiler) here(at int) { c.ins[at].A = len(c.ins) }

func (c *compiler) foreign(what string) {
	c.emit(Instr{Op: OpForeign, Text: what + " is not emulated"})
}
