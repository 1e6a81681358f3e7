/** The statements of the operator's commands. `$1` is the organization, except in the list of organizations. */

export const operatorSql = {
  organizations: `
    SELECT organization, name, name_key AS "nameKey", is_suspended AS "isSuspended" FROM organizations
    WHERE NOT is_removed ORDER BY name, organization`,
  // Without the shards that do not respond.
  reachableOrganizations: `
    SELECT result::json AS found FROM run_command_on_shards('organizations',
      $$SELECT coalesce(json_agg(json_build_object('organization', organization, 'name', name, 'nameKey', name_key, 'isSuspended', is_suspended)), '[]')
      FROM %s WHERE NOT is_removed$$)
    WHERE success`,
  hasKeys: 'SELECT EXISTS (SELECT FROM key_directory) AS found',
  addOrganization: 'INSERT INTO organizations (organization, name, name_key) VALUES ($1, $2, $3)',
  renameOrganization: 'UPDATE organizations SET name = $2, name_key = $3 WHERE organization = $1',
  suspendOrganization: 'UPDATE organizations SET is_suspended = $2 WHERE organization = $1',
  // Replaces the key of the name, which is free again at once. No name begins with a control character.
  removeOrganization: `
    UPDATE organizations SET is_removed = true, name_key = chr(31) || organization WHERE organization = $1`,
  removeKeys: 'DELETE FROM api_keys WHERE organization = $1 RETURNING hash',
  nextID: `SELECT nextval('ids') AS id`,

  members: `
    SELECT id, name, email FROM users WHERE organization = $1 AND is_bot = $2 AND NOT is_removed ORDER BY id`,
  addUser: `
    INSERT INTO users (organization, id, name, email, email_key, is_bot) VALUES ($1, $2, $3, $4, $5, $6)`,
  addPerson: `
    INSERT INTO users (organization, id, name, email, email_key, is_bot) VALUES ($1, $2, $3, $4, $5, false)
    ON CONFLICT (organization, email_key) DO UPDATE SET name = excluded.name WHERE NOT users.is_bot
    RETURNING id = $2 AS "isNew"`,
  // The row stays as the author of its messages.
  removeBot: `
    UPDATE users SET is_removed = true WHERE organization = $1 AND id = $2 AND is_bot AND NOT is_removed RETURNING name`,
  leaveChannels: 'DELETE FROM channel_members WHERE organization = $1 AND user_id = $2',
  leaveChats: 'DELETE FROM chat_members WHERE organization = $1 AND user_id = $2',
  removeKeysOfBot: 'DELETE FROM api_keys WHERE organization = $1 AND bot_id = $2 RETURNING hash',
  removePerson: 'DELETE FROM users WHERE organization = $1 AND id = $2',
  personByEmail: 'SELECT id FROM users WHERE organization = $1 AND email_key = $2 AND NOT is_bot',
  addLink: 'INSERT INTO sign_in_links (organization, hash, user_id, expires_at) VALUES ($1, $2, $3, $4)',

  countLiveKeys: `
    SELECT count(*)::int AS count FROM api_keys
    WHERE organization = $1 AND bot_id = $2 AND (expires_at IS NULL OR expires_at > now())`,
  keys: `
    SELECT k.id, b.name AS bot, k.created_at AS "createdAt", k.expires_at AS "expiresAt"
    FROM api_keys k JOIN users b ON b.organization = k.organization AND b.id = k.bot_id
    WHERE k.organization = $1 AND (k.expires_at IS NULL OR k.expires_at > now()) ORDER BY k.id`,
  addKey: `
    INSERT INTO api_keys (organization, id, bot_id, hash) VALUES ($1, nextval('ids'), $2, $3)`,
  addKeyLocation: 'INSERT INTO key_directory (organization, hash) VALUES ($1, $2)',
  expireKey: `
    UPDATE api_keys SET expires_at = least(expires_at, $3)
    WHERE organization = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > now())
    RETURNING bot_id AS "botID"`,
  revokeKey: 'DELETE FROM api_keys WHERE organization = $1 AND id = $2 RETURNING hash',
  removeKeyLocations: 'DELETE FROM key_directory WHERE organization = $1 AND hash = ANY ($2::bytea[])',
} as const
