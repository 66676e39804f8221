#pragma once
#include "mcp/McpServer.h"
#include "widgets/Card.h"

/// A program without a key that knocks: what it is, that it can do nothing, and the way to pair or ignore it.
class PairingCard : public Card
{
    Q_OBJECT
public:
    explicit PairingCard(const PairingRequest &request, QWidget *parent = nullptr);

Q_SIGNALS:
    void pairAsked();
    void ignored();
};
