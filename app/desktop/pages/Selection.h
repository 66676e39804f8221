#pragma once
#include "model/Ids.h"
#include <QWidget>

/// One thing of the inventory that a person looks at.
struct Selection {
    enum class Kind { Nothing, Remote, Node, Guest, Storage };
    Kind kind = Kind::Nothing;
    QString remote = {};
    NodeName node = {};       ///< Node, and Storage unless it is shared
    Vmid vmid = {};           ///< Guest
    StorageName storage = {}; ///< Storage
    bool operator==(const Selection &) const = default;

    /// "guest homelab 104", to be kept in the settings; round-trips through fromText().
    QString text() const;
    static Selection fromText(const QString &text);
};

/// A page that shows one selected thing. It is told what to show and asks its services for the rest.
class DetailPage : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void show(const Selection &selection) = 0;
    using QWidget::show;
};
