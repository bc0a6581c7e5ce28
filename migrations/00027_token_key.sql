-- +goose Up

-- The key that signs service account tokens, for the lifetime of the database. Like the authority,
-- it is not an object.
CREATE TABLE token_key (
    one boolean PRIMARY KEY DEFAULT true CONSTRAINT token_key_is_one_row CHECK (one),
    key bytea NOT NULL -- PKCS #8, DER
);

-- +goose Down
DROP TABLE token_key;
