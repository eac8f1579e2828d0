/** The default `User-Agent` of a request: a product (RFC 9110 section 10.1.5) with the version of package.json. */
export const USER_AGENT = 'watchword-endpoint/0.1.0';
