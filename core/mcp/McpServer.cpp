#include "mcp/McpServer.h"
