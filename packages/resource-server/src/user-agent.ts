/** What look-ups call themselves: `<package name>/<version>`, as in package.json. */
export const userAgent = '@watchword/resource-server/0.1.0';
