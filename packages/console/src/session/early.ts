/** Sends requests; it is `fetch`, with answers that were asked for before. */
export type Send = typeof fetch;

/** What every page begins with. Nothing is changed at these addresses, nor at those below with a query. */
const ofEveryPage = ['/admin/resourceServer/principal', '/admin/registration'];

/** What the page of a route begins with. An address that a page does not ask for is a request for nothing: a test compares them. */
const ofPage: Readonly<Record<string, readonly string[]>> = {
  '/': [
    '/admin/resourceServer?limit=2',
    '/admin/client?limit=1',
    '/admin/auditEvent?kind=changes&limit=8',
    '/admin/resourceServer/stats?hours=24&limit=100',
  ],
  '/resource-servers': ['/admin/resourceServer?limit=1000'],
  '/clients': ['/admin/resourceServer?limit=1000', '/admin/client?limit=1000&lastIssued=true'],
  '/access': ['/admin/grant?limit=100'],
  '/tokens': ['/admin/accessToken?expired=false&limit=100'],
};

/**
 * Asks for what the first page will need while its scripts are still on their way.
 *
 * @returns the `fetch` for the application, which hands out each of these answers once
 */
export function earlyAnswers(baseUrl: string, token: string, route: string): Send {
  const init: RequestInit = {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
  };
  const asked = new Map(
    [...ofEveryPage, ...(ofPage[route] ?? [])].map((path) => {
      const answer = fetch(`${baseUrl}${path}`, init);
      // It is looked at when it is handed out.
      answer.catch(() => {});
      return [`${baseUrl}${path}`, answer] as const;
    }),
  );
  return (input, request) => {
    const known = typeof input === 'string' ? asked.get(input) : undefined;
    if (known === undefined) return fetch(input, request);
    asked.delete(String(input));
    return known;
  };
}
