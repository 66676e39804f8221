#pragma once
#include <QJsonValue>
#include <QTreeWidget>

/// Shows what a read has answered, whatever its shape: objects and lists as branches, sizes and times in words.
class AnswerTree : public QTreeWidget
{
    Q_OBJECT
public:
    explicit AnswerTree(QWidget *parent = nullptr);
    void set(const QJsonValue &answer);

private:
    void add(QTreeWidgetItem *under, const QString &key, const QJsonValue &value);
};
