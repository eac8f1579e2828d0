SELECT json_build_object('resourceServers', json_agg(json_build_object(
  'key', r.resourceServerKey,
  'secret', r.secret,
  'name', r.resourceServerName,
  'owner', r.owner,
  'ownerAuthority', CASE WHEN r.owner IS NOT NULL THEN 'password' END,
  'description', r.description,
  'contactName', r.contactName,
  'contactEmail', r.contactEmail,
  'thumbNailUrl', r.thumbNailUrl,
  'scopes', (SELECT json_agg(s.element) FROM ResourceServer_scopes s WHERE s.RESOURCESERVER_ID = r.id),
  'clients', (SELECT json_agg(json_build_object(
    'clientId', c.clientId,
    'secret', CASE WHEN c.allowedImplicitGrant IS NOT TRUE THEN c.secret END,
    'clientName', c.clientName,
    'description', c.description,
    'contactName', COALESCE(c.contactName, r.contactName),
    'contactEmail', c.contactEmail,
    'thumbNailUrl', c.thumbNailUrl,
    'scopes', (SELECT json_agg(s.element) FROM Client_scopes s WHERE s.CLIENT_ID = c.id),
    'redirectUris', (SELECT json_agg(u.element) FROM Client_redirectUris u WHERE u.CLIENT_ID = c.id),
    'attributes', (SELECT json_object_agg(a.attribute_name, a.attribute_value) FROM client_attributes a
      WHERE a.client_id = c.id AND a.attribute_value IS NOT NULL),
    'expireDuration', c.expireDuration,
    'allowedImplicitGrant', c.allowedImplicitGrant,
    'allowedClientCredentials', c.allowedClientCredentials,
    'useRefreshTokens', c.useRefreshTokens,
    'skipConsent', c.skipConsent,
    'includePrincipal', c.includePrincipal
  )) FROM client c WHERE c.resourceserver_id = r.id)
)))
FROM resourceserver r
WHERE r.resourceServerKey <> 'authorization-server-admin';
