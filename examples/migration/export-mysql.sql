-- MariaDB otherwise cuts lists of more than 1 MB.
SET SESSION group_concat_max_len = 1073741824;
SELECT JSON_OBJECT('resourceServers', JSON_ARRAYAGG(JSON_OBJECT(
  'key', r.resourceServerKey,
  'secret', r.secret,
  'name', r.resourceServerName,
  'owner', r.owner,
  'ownerAuthority', IF(r.owner IS NULL, NULL, 'password'),
  'description', r.description,
  'contactName', r.contactName,
  'contactEmail', r.contactEmail,
  'thumbNailUrl', r.thumbNailUrl,
  'scopes', (SELECT JSON_ARRAYAGG(s.element) FROM ResourceServer_scopes s WHERE s.RESOURCESERVER_ID = r.id),
  'clients', (SELECT JSON_ARRAYAGG(JSON_OBJECT(
    'clientId', c.clientId,
    'secret', IF(c.allowedImplicitGrant, NULL, c.secret),
    'clientName', c.clientName,
    'description', c.description,
    'contactName', COALESCE(c.contactName, r.contactName),
    'contactEmail', c.contactEmail,
    'thumbNailUrl', c.thumbNailUrl,
    'scopes', (SELECT JSON_ARRAYAGG(s.element) FROM Client_scopes s WHERE s.CLIENT_ID = c.id),
    'redirectUris', (SELECT JSON_ARRAYAGG(u.element) FROM Client_redirectUris u WHERE u.CLIENT_ID = c.id),
    'attributes', (SELECT JSON_OBJECTAGG(a.attribute_name, a.attribute_value) FROM client_attributes a
      WHERE a.client_id = c.id AND a.attribute_value IS NOT NULL),
    'expireDuration', c.expireDuration,
    'allowedImplicitGrant', c.allowedImplicitGrant + 0,
    'allowedClientCredentials', c.allowedClientCredentials + 0,
    'useRefreshTokens', c.useRefreshTokens + 0,
    'skipConsent', c.skipConsent + 0,
    'includePrincipal', c.includePrincipal + 0
  )) FROM client c WHERE c.resourceserver_id = r.id)
)))
FROM resourceserver r
WHERE r.resourceServerKey <> 'authorization-server-admin';
