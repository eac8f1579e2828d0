import { createServer } from 'node:http';
import { type FixedAnswer, given, listen } from './script.ts';

/** The yardstick: a `node:http` server that reads the request and answers fixed bytes. */
const { headers, body } = given<FixedAnswer>();

listen(createServer(), () => (request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, { ...headers });
    response.end(body);
  });
});
