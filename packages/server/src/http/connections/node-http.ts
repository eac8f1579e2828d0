/**
 * Values of `node:http`. Its import would read every export, and one of them loads the HTTP client of `fetch`: a tenth of
 * the start (docs/adr/0083).
 */
export const { Server, STATUS_CODES } = process.getBuiltinModule('node:http');
