/** A test server was asked for what it cannot do, or refused what the real server refuses: the message has the reason of that. */
export class TestServerError extends Error {
  override readonly name = 'TestServerError';
}
