-- The server's version as a number, such as 150018.
SHOW server_version_num
