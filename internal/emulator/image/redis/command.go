package redis

import "time"

func init() { // in init, because EXEC runs commands
	commands = map[string]command{}
	for _, group := range []map[string]command{connectionCommands, keyCommands, stringCommands, listCommands, hashCommands, setCommands, serverCommands} {
		for name, c := range group {
			commands[name] = c
		}
	}
}

var connectionCommands = map[string]command{
	"ping":   {run: ping, arity: -1},
	"echo":   {run: func(x *call, _ int64) { x.text(x.arg(1)) }, arity: 2},
	"auth":   {run: auth, arity: -2, open: true},
	"hello":  {run: hello, arity: -1, open: true},
	"quit":   {run: quit, arity: -1, open: true, outside: true},
	"reset":  {run: reset, arity: 1, open: true, outside: true},
	"select": {run: selectDB, arity: 2},
	"client": {run: client, arity: -2},

	"multi":   {run: multi, arity: 1, outside: true},
	"exec":    {run: exec, arity: 1, outside: true},
	"discard": {run: discard, arity: 1, outside: true},
}

var keyCommands = map[string]command{
	"del":         {run: del, arity: -2, writes: true},
	"unlink":      {run: del, arity: -2, writes: true},
	"exists":      {run: exists, arity: -2},
	"touch":       {run: exists, arity: -2},
	"type":        {run: typeOf, arity: 2},
	"keys":        {run: keys, arity: 2},
	"scan":        {run: scan, arity: -2},
	"expire":      {run: expire(time.Second, false), arity: -3, writes: true},
	"pexpire":     {run: expire(time.Millisecond, false), arity: -3, writes: true},
	"expireat":    {run: expire(time.Second, true), arity: -3, writes: true},
	"pexpireat":   {run: expire(time.Millisecond, true), arity: -3, writes: true},
	"ttl":         {run: ttl(time.Second, false), arity: 2},
	"pttl":        {run: ttl(time.Millisecond, false), arity: 2},
	"expiretime":  {run: ttl(time.Second, true), arity: 2},
	"pexpiretime": {run: ttl(time.Millisecond, true), arity: 2},
	"persist":     {run: persist, arity: 2, writes: true},
	"rename":      {run: rename(false), arity: 3, writes: true},
	"renamenx":    {run: rename(true), arity: 3, writes: true},
	"randomkey":   {run: randomKey, arity: 1},
	"dbsize":      {run: dbSize, arity: 1},
	"flushall":    {run: flush(true), arity: -1, writes: true},
	"flushdb":     {run: flush(false), arity: -1, writes: true},
}

var stringCommands = map[string]command{
	"get":         {run: get, arity: 2},
	"set":         {run: set, arity: -3, writes: true, grows: true},
	"setnx":       {run: setNX, arity: 3, writes: true, grows: true},
	"setex":       {run: setEX(time.Second), arity: 4, writes: true, grows: true},
	"psetex":      {run: setEX(time.Millisecond), arity: 4, writes: true, grows: true},
	"getset":      {run: getSet, arity: 3, writes: true, grows: true},
	"getdel":      {run: getDel, arity: 2, writes: true},
	"mget":        {run: mGet, arity: -2},
	"mset":        {run: mSet(false), arity: -3, writes: true, grows: true},
	"msetnx":      {run: mSet(true), arity: -3, writes: true, grows: true},
	"incr":        {run: increase(1, false), arity: 2, writes: true, grows: true},
	"decr":        {run: increase(-1, false), arity: 2, writes: true, grows: true},
	"incrby":      {run: increase(1, true), arity: 3, writes: true, grows: true},
	"decrby":      {run: increase(-1, true), arity: 3, writes: true, grows: true},
	"incrbyfloat": {run: increaseFloat, arity: 3, writes: true, grows: true},
	"append":      {run: appendTo, arity: 3, writes: true, grows: true},
	"strlen":      {run: strLen, arity: 2},
	"getrange":    {run: getRange, arity: 4},
}

var listCommands = map[string]command{
	"lpush":      {run: push(true, false), arity: -3, writes: true, grows: true},
	"rpush":      {run: push(false, false), arity: -3, writes: true, grows: true},
	"lpushx":     {run: push(true, true), arity: -3, writes: true, grows: true},
	"rpushx":     {run: push(false, true), arity: -3, writes: true, grows: true},
	"lpop":       {run: pop(true), arity: -2, writes: true},
	"rpop":       {run: pop(false), arity: -2, writes: true},
	"blpop":      {run: blockingPop(true), arity: -3, writes: true},
	"brpop":      {run: blockingPop(false), arity: -3, writes: true},
	"rpoplpush":  {run: move(false, false), arity: 3, writes: true, grows: true},
	"brpoplpush": {run: move(false, true), arity: 4, writes: true, grows: true},
	"lmove":      {run: move(true, false), arity: 5, writes: true, grows: true},
	"blmove":     {run: move(true, true), arity: 6, writes: true, grows: true},
	"lrange":     {run: lRange, arity: 4},
	"ltrim":      {run: lTrim, arity: 4, writes: true},
	"llen":       {run: count(isList), arity: 2},
	"lindex":     {run: lIndex, arity: 3},
	"lset":       {run: lSet, arity: 4, writes: true, grows: true},
	"lrem":       {run: lRem, arity: 4, writes: true},
	"linsert":    {run: lInsert, arity: 5, writes: true, grows: true},
}

var hashCommands = map[string]command{
	"hset":    {run: hSet(false, false), arity: -4, writes: true, grows: true},
	"hmset":   {run: hSet(true, false), arity: -4, writes: true, grows: true},
	"hsetnx":  {run: hSet(false, true), arity: 4, writes: true, grows: true},
	"hget":    {run: hGet, arity: 3},
	"hmget":   {run: hMGet, arity: -3},
	"hgetall": {run: hAll(true, true), arity: 2},
	"hkeys":   {run: hAll(true, false), arity: 2},
	"hvals":   {run: hAll(false, true), arity: 2},
	"hdel":    {run: removeItems(isHash), arity: -3, writes: true},
	"hlen":    {run: count(isHash), arity: 2},
	"hexists": {run: contains(isHash), arity: 3},
	"hincrby": {run: hIncrBy, arity: 4, writes: true, grows: true},
}

var setCommands = map[string]command{
	"sadd":        {run: sAdd, arity: -3, writes: true, grows: true},
	"smembers":    {run: sMembers, arity: 2},
	"sismember":   {run: contains(isSet), arity: 3},
	"srem":        {run: removeItems(isSet), arity: -3, writes: true},
	"scard":       {run: count(isSet), arity: 2},
	"spop":        {run: sPop(true), arity: -2, writes: true},
	"srandmember": {run: sPop(false), arity: -2},
	"sinter":      {run: combine(false, func(has bool) bool { return has }), arity: -2},
	"sdiff":       {run: combine(false, func(has bool) bool { return !has }), arity: -2},
	"sunion":      {run: combine(true, nil), arity: -2},

	"zadd":             {run: zAdd, arity: -4, writes: true, grows: true},
	"zincrby":          {run: zIncrBy, arity: 4, writes: true, grows: true},
	"zrem":             {run: removeItems(isSorted), arity: -3, writes: true},
	"zcard":            {run: count(isSorted), arity: 2},
	"zscore":           {run: zScore, arity: 3},
	"zrank":            {run: zRank(false), arity: 3},
	"zrevrank":         {run: zRank(true), arity: 3},
	"zrange":           {run: zRange(false, false), arity: -4},
	"zrevrange":        {run: zRange(false, true), arity: -4},
	"zrangebyscore":    {run: zRange(true, false), arity: -4},
	"zrevrangebyscore": {run: zRange(true, true), arity: -4},
	"zcount":           {run: zCount, arity: 4},
}

var serverCommands = map[string]command{
	"info":      {run: info, arity: -1},
	"config":    {run: config, arity: -2},
	"command":   {run: commandInfo, arity: -1},
	"time":      {run: timeNow, arity: 1},
	"lastsave":  {run: func(x *call, _ int64) { x.number(x.s.SavedAt / 1000) }, arity: 1},
	"save":      {run: save("OK"), arity: 1},
	"bgsave":    {run: save("Background saving started"), arity: -1},
	"shutdown":  {run: shutdown, arity: -1},
	"role":      {run: role, arity: 1},
	"replicaof": {run: replicaOf, arity: 3},
	"slaveof":   {run: replicaOf, arity: 3},
	"replconf":  {run: func(x *call, _ int64) { x.ok() }, arity: -1},
	"psync":     {run: psync, arity: -3},
	"wait":      {run: func(x *call, _ int64) { x.count(0) }, arity: 3},
}
