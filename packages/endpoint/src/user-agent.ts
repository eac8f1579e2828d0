/** What a request calls itself unless told otherwise: `<package name>/<version>`, as in package.json. */
export const USER_AGENT = '@watchword/endpoint/0.1.0';
