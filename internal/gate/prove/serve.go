package prove

import (
	"bufio"
	"encoding/json"
	"io"
)

// Serve is an MCP server on standard input and output with one tool, ping, so that there is one to lock.
func Serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				ProtocolVersion string `json:"protocolVersion"`
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue // a notification, or nothing that we understand
		}
		reply := map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": answer(m.Method, m.Params.ProtocolVersion)}
		if err := json.NewEncoder(out).Encode(reply); err != nil {
			return err
		}
	}
	return lines.Err()
}

func answer(method, version string) any {
	type object = map[string]any
	switch method {
	case "initialize":
		return object{"protocolVersion": version, "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "demo", "version": "1"}}
	case "tools/list":
		return object{"tools": []object{{"name": "ping", "description": "Says that it was reached.", "inputSchema": object{"type": "object", "properties": object{}}}}}
	case "tools/call":
		return object{"content": []object{{"type": "text", "text": "It was reached."}}}
	}
	return object{}
}
