/** What lookups call themselves: a product (RFC 9110 section 10.1.5) with the version of package.json. */
export const userAgent = 'watchword-resource-server/0.1.0';
