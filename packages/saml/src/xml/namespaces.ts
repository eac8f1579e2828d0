export const saml = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const samlp = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const md = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const mdui = 'urn:oasis:names:tc:SAML:metadata:ui';
export const mdattr = 'urn:oasis:names:tc:SAML:metadata:attribute';
export const shibmd = 'urn:mace:shibboleth:metadata:1.0';
export const ds = 'http://www.w3.org/2000/09/xmldsig#';
export const xenc = 'http://www.w3.org/2001/04/xmlenc#';
export const xenc11 = 'http://www.w3.org/2009/xmlenc11#';
export const xml = 'http://www.w3.org/XML/1998/namespace';
export const xmlns = 'http://www.w3.org/2000/xmlns/';

export const httpRedirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const httpPost = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
