import { createServer, type OutgoingHttpHeaders } from 'node:http';

/**
 * The yardstick: a `node:http` server that reads the request and answers fixed bytes. Configured over the
 * environment by its parent process; writes its port on standard output.
 */
const { headers, body } = JSON.parse(process.env.BARE_ANSWER ?? '{}') as {
  headers: OutgoingHttpHeaders;
  body: string;
};

const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, headers);
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
