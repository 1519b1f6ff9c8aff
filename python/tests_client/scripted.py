"""A server that fails as it is told to, and counts what it is asked."""

import contextlib
import time
from concurrent import futures

import grpc

from privgym.v1 import environment_pb2, environment_pb2_grpc


class Scripted(environment_pb2_grpc.EnvironmentServiceServicer):
    def __init__(self, script, delay=0.0):
        self.script, self.delay, self.asked, self.metadata = list(script), delay, 0, None

    def Describe(self, request, context):
        self.asked += 1
        self.metadata = dict(context.invocation_metadata())
        time.sleep(self.delay)
        if self.script:
            context.abort(self.script.pop(0), "as told")
        return environment_pb2.DescribeResponse(version="scripted")


@contextlib.contextmanager
def scripted(*script, delay=0.0):
    """Runs a server that answers Describe with these statuses first; yields it and its address."""
    server = grpc.server(futures.ThreadPoolExecutor(2))
    service = Scripted(script, delay)
    environment_pb2_grpc.add_EnvironmentServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield service, f"127.0.0.1:{port}"
    finally:
        server.stop(None)
