/** The field `repository` of a package.json. */
export interface Repository {
  readonly type: 'git';
  readonly url: string;
  readonly directory: string;
}

/**
 * The repository that a package is packed in, as GitHub Actions names it. The registry compares it with the origin that the provenance
 * of the package proves. On another machine it is not known: `undefined`.
 *
 * @param directory of the package, from the root of the checkout
 */
export function repository(env: NodeJS.ProcessEnv, directory: string): Repository | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = env;
  if (server === undefined || path === undefined) return undefined;
  return { type: 'git', url: `git+${server}/${path}.git`, directory };
}
