/**
 * Where things are in the image, and as whom they run. The Dockerfile, compose.yaml and the Helm chart repeat these values, because
 * they can read no program; test/deploy/ compares them.
 */
export const layout = {
  node: '/usr/local/bin/node',
  command: '/usr/local/bin/watchword',
  /** `node_modules` with the server and what it needs. */
  packages: '/app',
  /** The working directory, and the only folder for data. */
  data: '/var/lib/watchword',
  /** Of user and group: the number that images without a shell usually have for their unprivileged user. */
  user: 65_532,
  port: 8080,
} as const;
