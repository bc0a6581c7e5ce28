-- +goose Up

-- The key that tokens of service accounts are signed with, as long as the database lives. Like the authority, it is no object.
CREATE TABLE token_key (
    one boolean PRIMARY KEY DEFAULT true CONSTRAINT token_key_is_one_row CHECK (one),
    key bytea NOT NULL -- PKCS #8, DER
);

-- +goose Down
DROP TABLE token_key;
