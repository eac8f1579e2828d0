/** Whether a request is a CORS preflight (Fetch standard): it never carries a token, and asks for nothing else. */
export function isPreflight(method: string | undefined, header: (name: string) => unknown): boolean {
  return (
    method === 'OPTIONS' && isPresent(header('origin')) && isPresent(header('access-control-request-method'))
  );
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
