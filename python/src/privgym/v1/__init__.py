"""The wire contract: messages and stubs generated from proto/privgym/v1."""
