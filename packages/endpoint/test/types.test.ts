import { test } from 'node:test';
import { endpoint, type PathVariables } from '@watchword/endpoint';

/** Compiles only where both types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

// The compiler is what checks this file; nothing of it is run.
export const NAMES: readonly true[] = [
  true satisfies Same<PathVariables<'GET /repos/{owner}/:repo'>, 'owner' | 'repo'>,
  true satisfies Same<PathVariables<'/{+a}/{b:3}/{c*}/{d,e}'>, 'a' | 'b' | 'c' | 'd' | 'e'>,
  true satisfies Same<PathVariables<'/x{/a}{.b}{;c}{?d}{&e}{#f}?g={g}#{h}'>, never>,
  true satisfies Same<PathVariables<'/:a.json/:Abc/:my_id{?x}'>, 'a' | 'Abc' | 'my_id'>,
  true satisfies Same<PathVariables<'https://user:pass@host:80/x/1:generate/:1/:a-b?q=/:open'>, never>,
  true satisfies Same<PathVariables<'POST https://host.example/{a}/:b'>, 'a' | 'b'>,
  true satisfies Same<PathVariables<string>, never>,
];

export function calls(): void {
  endpoint('GET /user');
  endpoint('GET /repos/{owner}', { owner: 'o' });
  endpoint('GET /repos/{owner}', {}, { owner: 'o' });
  endpoint('GET /repos/{owner}/{repo}', { owner: 'o' }, { repo: 'r' });
  endpoint.merge('GET /repos/{owner}', { owner: 'o', headers: { a: 1 } });
  endpoint.defaults({ owner: 'o' })('GET /repos/{owner}');
  endpoint.defaults({ owner: 'o' }).defaults({ repo: 'r' })('GET /repos/{owner}/{repo}', { page: 1 });
  endpoint('GET /repos/{owner}' as string);
  endpoint('GET /repos/{owner}' as string, { anything: 1 });
  endpoint({ method: 'GET', url: '/repos/{owner}' });

  // @ts-expect-error owner is missing
  endpoint('GET /repos/{owner}');
  // @ts-expect-error owner is missing
  endpoint('GET /repos/{owner}', {});
  // @ts-expect-error owner may not be undefined
  endpoint('GET /repos/{owner}', { owner: undefined });
  // @ts-expect-error repo is missing
  endpoint('GET /repos/{owner}/:repo', { owner: 'o' });
  // @ts-expect-error repo is missing
  endpoint('GET /repos/{owner}/:repo', { owner: 'o' }, {});
  // @ts-expect-error repo is missing
  endpoint.merge('GET /repos/{owner}/:repo', { owner: 'o' });
  // @ts-expect-error repo is missing
  endpoint.defaults({ owner: 'o' })('GET /repos/{owner}/{repo}', {});
  // @ts-expect-error a header is no object
  endpoint('GET /user', { headers: { a: {} } });
}

test('a missing path variable of a literal route does not compile', () => {});
